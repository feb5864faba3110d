// SPDX-License-Identifier: Apache-2.0
//
// A JVM that compiles a class: java Compile.java FOLDER SOURCE
public class Compile {
  public static void main(String[] args) {
    javax.tools.ToolProvider.getSystemJavaCompiler().run(
        null, null, null, "-d", args[0], args[1]);
  }
}
