#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/check_layers.py on small trees that break one rule each."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPTS))
import check_layers  # noqa: E402

LICENSE = "// SPDX-License-Identifier: Apache-2.0\n"


class CheckLayersTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        (self.root / "src").mkdir()

    def write(self, path, body, start=LICENSE):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        once = "#pragma once\n" if path.endswith(".h") else ""
        file.write_text(start + once + body, encoding="utf-8")

    def violations(self):
        return [str(v) for v in check_layers.check_tree(self.root)]

    def assert_clean(self, path, body):
        self.write(path, body)
        self.assertEqual(self.violations(), [])

    def assert_violation(self, path, body, expected):
        self.write(path, body)
        self.assertEqual(self.violations(), [expected])


class TableTest(unittest.TestCase):
    def test_modules_include_only_lower_ones(self):
        lower = set()
        for module, (modules, _) in check_layers.MODULES.items():
            self.assertLessEqual(modules, lower, module)
            lower.add(module)

    def test_libraries_of_modules_have_headers(self):
        for module, (_, libraries) in check_layers.MODULES.items():
            self.assertLessEqual(
                libraries, set(check_layers.LIBRARIES), module
            )

    def test_every_module_has_a_folder(self):
        source = SCRIPTS.parent / "src"
        folders = {path.name for path in source.iterdir() if path.is_dir()}
        self.assertEqual(set(check_layers.MODULES), folders)

    def test_knows_the_folders_of_modules(self):
        for module, folders in check_layers.FOLDERS.items():
            source = SCRIPTS.parent / "src" / module
            files = [*source.glob("*/*.cc"), *source.glob("*/*.c")]
            found = {path.parent.name for path in files}
            self.assertEqual(set(folders), found, module)

    def test_folders_include_only_lower_ones(self):
        for module, folders in check_layers.FOLDERS.items():
            lower = set()
            for folder, others in folders.items():
                self.assertLessEqual(others, lower, f"{module}/{folder}")
                lower.add(folder)


class FolderTest(CheckLayersTest):
    def test_accepts_what_the_table_allows(self):
        self.write("src/dwarf/libdw/resolver.cc", "")
        self.assert_clean(
            "src/dwarf/units/walk.cc",
            '#include "dwarf/units/walk.h"\n'
            '#include "dwarf/read/forms.h"\n'
            '#include "heapprof/base/error.h"\n'
            '#include "heapprof/dwarf/interface.h"\n',
        )

    def test_lets_files_outside_join_all_folders(self):
        self.assert_clean(
            "src/dwarf/engine.cc",
            '#include "dwarf/libdw/walk.h"\n#include "dwarf/map/map.h"\n',
        )

    def test_rejects_a_higher_folder(self):
        self.assert_violation(
            "src/dwarf/read/forms.cc",
            '#include "dwarf/units/walk.h"\n',
            "src/dwarf/read/forms.cc:2: dwarf/read may not include "
            "dwarf/units/walk.h",
        )

    def test_rejects_what_joins_the_folders(self):
        self.assert_violation(
            "src/dwarf/read/forms.cc",
            '#include "dwarf/engine.h"\n',
            "src/dwarf/read/forms.cc:2: dwarf/read may not include "
            "dwarf/engine.h",
        )

    def test_rejects_a_shared_header_of_a_higher_folder(self):
        self.write("src/dwarf/map/code_map.cc", "")
        self.assert_violation(
            "src/dwarf/read/forms.cc",
            '#include "heapprof/dwarf/code_map.h"\n',
            "src/dwarf/read/forms.cc:2: dwarf/read may not include "
            "heapprof/dwarf/code_map.h",
        )

    def test_rejects_an_unknown_folder(self):
        self.assert_violation(
            "src/dwarf/attic/forms.cc",
            "",
            "src/dwarf/attic/forms.cc:1: 'attic' is no folder of dwarf",
        )


class LayerTest(CheckLayersTest):
    def test_accepts_what_the_table_allows(self):
        self.assert_clean(
            "src/dwarf/reader.cc",
            '#include "dwarf/reader.h"\n'
            "#include <dwarf.h>\n"
            "#include <elfutils/libdw.h>\n"
            "#include <fcntl.h>\n"
            "#include <fmt/format.h>\n"
            "#include <vector>\n"
            '#include "heapprof/base/error.h"\n'
            '#include "heapprof/elf/elf_image.h"\n',
        )

    def test_rejects_a_higher_module(self):
        self.assert_violation(
            "src/profile/profile.cc",
            '#include "heapprof/report/text.h"\n',
            "src/profile/profile.cc:2: profile may not include report "
            "(heapprof/report/text.h)",
        )

    def test_rejects_a_higher_module_in_a_shared_header(self):
        self.assert_violation(
            "include/heapprof/parse/parse.h",
            '#include "heapprof/symbolize/symbolize.h"\n',
            "include/heapprof/parse/parse.h:3: parse may not include "
            "symbolize (heapprof/symbolize/symbolize.h)",
        )

    def test_rejects_a_private_header_of_another_module(self):
        self.assert_violation(
            "src/cli/run.cc",
            '#include "parse/heap_line.h"\n',
            "src/cli/run.cc:2: parse/heap_line.h is private to parse",
        )

    def test_rejects_a_private_header_in_a_shared_one(self):
        self.assert_violation(
            "include/heapprof/parse/parse.h",
            '#include "parse/heap_line.h"\n',
            "include/heapprof/parse/parse.h:3: a shared header may not "
            "include the private parse/heap_line.h",
        )

    def test_rejects_a_directory_that_is_no_module(self):
        self.assert_violation(
            "src/utils/a.cc", "", "src/utils/a.cc:1: 'utils' is no module"
        )

    def test_rejects_a_file_outside_the_modules(self):
        self.assert_violation(
            "src/main.cc", "", "src/main.cc:1: 'None' is no module"
        )

    def test_ignores_an_include_in_a_comment(self):
        self.assert_clean(
            "src/base/a.cc",
            '// #include "heapprof/cli/run.h"\n'
            "/*\n"
            '#include "heapprof/cli/run.h"\n'
            "*/\n",
        )


class LibraryTest(CheckLayersTest):
    def test_rejects_elfutils_outside_elf_and_dwarf(self):
        for header in ("gelf.h", "libelf.h", "dwarf.h", "elfutils/libdw.h"):
            self.assert_violation(
                "src/symbolize/a.cc",
                f"#include <{header}>\n",
                "src/symbolize/a.cc:2: symbolize may not use elfutils "
                f"({header})",
            )

    def test_rejects_elfutils_in_a_shared_header(self):
        self.assert_violation(
            "include/heapprof/elf/elf_image.h",
            "#include <gelf.h>\n",
            "include/heapprof/elf/elf_image.h:3: a shared header may not "
            "expose elfutils (gelf.h)",
        )

    def test_generated_proto_is_for_parse_only(self):
        self.write("src/parse/pprof.cc", '#include "profile.pb.h"\n')
        self.assert_violation(
            "src/view/table.cc",
            '#include "profile.pb.h"\n',
            "src/view/table.cc:2: view may not use protobuf (profile.pb.h)",
        )

    def test_rejects_an_unknown_library(self):
        self.assert_violation(
            "src/base/a.cc",
            "#include <leveldb/db.h>\n",
            "src/base/a.cc:2: <leveldb/db.h> is of no library in "
            "check_layers.py",
        )


class TypeTest(CheckLayersTest):
    def test_rejects_two_types_of_one_name(self):
        self.write("src/compare/a.h", "enum class Kind : uint8_t { kA };\n")
        self.write("src/view/a.h", "struct Name final : Base {};\n")
        self.write("src/view/b.h", "class Kind {};\nstruct Name {\n};\n")
        self.assertEqual(
            self.violations(),
            [
                "src/view/b.h:3: src/compare/a.h defines another 'Kind'",
                "src/view/b.h:4: src/view/a.h defines another 'Name'",
            ],
        )

    def test_accepts_declarations_parts_and_specializations(self):
        self.write("src/compare/a.h", "struct A {\n  struct Part {};\n};\n")
        self.write("src/view/a.h", "struct A;\nstruct B {\n  enum Part {};\n};\n")
        self.write("src/view/b.h", "template <>\nstruct hash<A> {};\n")
        self.assert_clean("src/view/c.h", "template <>\nstruct hash<B> {};\n")


class HiddenFunctionTest(CheckLayersTest):
    def test_rejects_the_name_of_a_shared_function(self):
        self.write("include/heapprof/view/a.h", "std::string Code(int text);\n")
        self.write("src/report/a.h", "inline const A* Find(B b) {\n}\n")
        self.write(
            "src/report/b.cc",
            "namespace {\nA& Find(C c) {\n  if (c) {\n  }\n}\n}  // namespace\n"
            "B Find(B b) {\n}\n",
        )
        self.write("src/view/c.cc", "namespace {\nbool Code(A a);\n}  // namespace\n")
        self.assertEqual(
            self.violations(),
            [
                "src/report/b.cc:3: hides the 'Find' of src/report/a.h",
                "src/view/c.cc:3: hides the 'Code' of "
                "include/heapprof/view/a.h",
            ],
        )

    def test_accepts_members_and_other_modules(self):
        self.write("src/report/a.h", "class A {\n  int Code();\n};\n")
        self.write("src/view/a.h", "int Code();\n")
        self.assert_clean(
            "src/report/b.cc", "namespace {\nint Code();\n}  // namespace\n"
        )


class CallTest(CheckLayersTest):
    def test_rejects_output_and_exits_outside_cli(self):
        for code, found in (
            ("std::cout << 1;", "std::cout"),
            ("std::cerr << 1;", "std::cerr"),
            ('printf("x");', "printf("),
            ("fprintf(file, text);", "fprintf("),
            ("Write(stderr);", "stderr"),
            ("Write(stdout);", "stdout"),
            ("fmt::print(text);", "fmt::print("),
            ("std::exit(1);", "exit("),
            ("_exit(1);", "_exit("),
            ("std::abort();", "abort("),
        ):
            self.assert_violation(
                "src/view/a.cc",
                f"void F() {{ {code} }}\n",
                f"src/view/a.cc:2: only cli prints or exits: {found}",
            )

    def test_lets_cli_print_and_exit(self):
        self.assert_clean(
            "src/cli/main.cc", "void F() { fmt::print(stderr, x); exit(1); }\n"
        )

    def test_rejects_a_shell_everywhere(self):
        for call in ("system(", "popen("):
            self.assert_violation(
                "src/cli/a.cc",
                f"void F() {{ {call}x); }}\n",
                f"src/cli/a.cc:2: runs a shell: {call}",
            )

    def test_ignores_names_that_only_look_alike(self):
        self.assert_clean(
            "src/base/a.cc",
            "int snprintf(int); int exit_code(int); int FileSystem(int);\n",
        )

    def test_ignores_comments_and_strings(self):
        self.assert_clean(
            "src/base/a.cc",
            "// calls exit(1)\n"
            "/* system(\n   popen( */\n"
            "const char* a = \"exit(\\\"1\\\") stderr\";\n"
            'const char* b = R"x(exit(1) " stdout)x";\n'
            "const char c = '\"'; const int d = 1'000;\n",
        )

    def test_sees_code_after_tricky_tokens(self):
        self.assert_violation(
            "src/base/a.cc",
            "int a = 1'000'000; char b = '\\''; /* \" */\nint c = exit(1);\n",
            "src/base/a.cc:3: only cli prints or exits: exit(",
        )


class FileTest(CheckLayersTest):
    def test_rejects_unfinished_work(self):
        for word in ("TODO", "FIXME", "XXX"):
            self.assert_violation(
                "src/base/a.cc",
                f"\n// {word}: later\n",
                f"src/base/a.cc:3: unfinished: {word}",
            )

    def test_rejects_scripts_without_a_license(self):
        license_line = LICENSE.replace("//", "#")
        for path in ("CMakeLists.txt", "tests/a.cmake", "scripts/a.sh"):
            self.write(path, "message()\n", license_line)
        self.write("tests/b.py", "", "#!/usr/bin/env python3\n" + license_line)
        self.assertEqual(self.violations(), [])
        for path in ("src/CMakeLists.txt", "tests/a.inc", "tests/b.py"):
            self.write(path, "message()\n", "#!/bin/sh\n")
        self.assertEqual(
            self.violations(),
            [
                f"{path}:1: does not start with '{license_line.rstrip()}'"
                for path in ("src/CMakeLists.txt", "tests/a.inc", "tests/b.py")
            ],
        )

    def test_rejects_a_missing_license(self):
        self.write("src/base/a.cc", "int a;\n", start="")
        self.assertEqual(
            self.violations(),
            [
                "src/base/a.cc:1: does not start with "
                "'// SPDX-License-Identifier: Apache-2.0'"
            ],
        )

    def test_rejects_a_header_without_pragma_once(self):
        path = self.root / "src/base/a.h"
        path.parent.mkdir()
        path.write_text(LICENSE + "// #pragma once\n", encoding="utf-8")
        self.assertEqual(
            self.violations(), ["src/base/a.h:1: header without #pragma once"]
        )

    def test_accepts_a_file_of_the_longest_length(self):
        self.assert_clean("tests/a_test.cc", "\n" * 599)

    def test_rejects_a_longer_one(self):
        self.assert_violation(
            "tests/a_test.cc",
            "\n" * 600,
            "tests/a_test.cc:601: 601 lines, the limit is 600",
        )


class CommandTest(CheckLayersTest):
    def run_script(self, *arguments):
        return subprocess.run(
            [sys.executable, SCRIPTS / "check_layers.py", *arguments],
            capture_output=True,
            text=True,
            check=False,
        )

    def test_exits_with_0_on_a_clean_tree(self):
        self.write("src/base/a.cc", "")
        result = self.run_script(self.root)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_prints_violations_and_exits_with_1(self):
        self.write("src/base/a.cc", "int a = abort();\n")
        result = self.run_script(self.root)
        self.assertEqual(
            (result.returncode, result.stdout),
            (1, "src/base/a.cc:2: only cli prints or exits: abort(\n"),
        )

    def test_exits_with_2_where_there_are_no_sources(self):
        self.assertEqual(self.run_script(self.root / "src").returncode, 2)


if __name__ == "__main__":
    unittest.main()
