#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
#
# Feeds random patterns and names to Perl and to Regex, and fails if the two
# disagree on what is a pattern or on what matches.
#
#   regex_differential.pl [--seed S] DRIVER [COUNT]
#
# DRIVER is regex_driver, whose source describes the protocol.
use strict;
use warnings;

use File::Temp ();
use Getopt::Long ();

my $seed = 1;
Getopt::Long::GetOptions('seed=i' => \$seed) && @ARGV >= 1 && @ARGV <= 2
  or die "usage: $0 [--seed S] DRIVER [COUNT]\n";
my ($driver, $count) = @ARGV;
$count //= $ENV{HEAPPROF_FULL} ? 50_000 : 5_000;
srand($seed);

my @subjects = ('main', 'ns::parse', 'std::vector::push_back', 'operator new',
  'A::operator()', '??:0', 'libfoo.so.1+0x1234', '000055d0c0de1131', '',
  '/usr/include/c++/12/bits/stl_vector.h:1198', 'f[abi:cxx11]', "caf\xc3\xa9",
  '<alloc::vec::Vec as core::ops::Drop>::drop', 'main::{lambda#1}::operator()',
  '~Foo', 'operator<<', 'a b', "two\nlines", "ends\n", '$_0', 'x^y', "tab\t");
my @words = qw(main ns parse std vector push new operator 12 so f Foo drop A b);
my @escapes = qw(\w \W \d \D \s \S \. \( \) \[ \] \$ \^ \+ \* \? \\ \/ \: \<
  \> \- \t \n \x41 \x{e9} \h \H \101);
my @assertions = qw(\b \B \A \z \Z ^ $ (?i) (?s) (?m) (?x));
my @classes = ('[a-z]', '[^a-z]', '[A-Za-z_]\w*', '[[:alpha:]]', '[[:^digit:]]',
  '[]a]', '[^]]', '[a-]', '[-a]', '[\w:]', '[\d.]', '[z-a]', '[', '[]', '[a',
  '[\]]', '[.]', '[$]', '[\x{e9}]', '[\W\d]', '[^\s(]');
my @quantifiers = ('*', '+', '?', '*?', '+?', '??', '*+', '++', '?+', '{2}',
  '{1,2}', '{0,}', '{', '{x}', '{1', '**', '+*');
my @groups = ('(', '(?:', '(?i:', '(?=', '(?!', '(?>', '(?|', '(?s:', '(?x: ',
  '(?-i:', '(?^:');
my @looks_back = ('(?<=ns::)', '(?<!std::)', '(?<=\w)', '(?<![a-f])');

sub one_of { return $_[int(rand(@_))] }

# A part that a quantifier may follow.
sub atom {
  my ($depth) = @_;
  my $ticket = rand();
  return one_of(@words)   if $ticket < .35;
  return one_of(@escapes) if $ticket < .52;
  return one_of(@classes) if $ticket < .67;
  return one_of('.', '::', ' ', '#', '-', ',') if $ticket < .82 || $depth > 2;
  return one_of(@groups) . pattern($depth + 1) . (rand() < .97 ? ')' : '');
}

sub pattern {
  my ($depth) = @_;
  my $pattern = '';
  for (1 .. 1 + int(rand(4))) {
    if (rand() < .15) {
      $pattern .= one_of(@assertions, @looks_back);
    } else {
      $pattern .= atom($depth);
      $pattern .= one_of(@quantifiers) if rand() < .25;
    }
    $pattern .= one_of(')', '(?', '\\') if rand() < .02;
    $pattern .= '|' if rand() < .08;
  }
  return $pattern;
}

# Useless patterns that only one of the two accepts: a quantifier with nothing
# to repeat, a pattern that ends within an escape or a group, a brace after an
# escape, a class of characters outside brackets, an assertion inside them. And
# Perl 5.36 finds nothing after some optional lookaheads, such as
# "(?=f??)[a-z]".
sub is_disputed {
  my ($pattern) = @_;
  return $pattern =~ /
      (?:\\[bBAzZ]|\^|\$|\(\?[a-z^-]+\)|\(\?<?[=!][^()]*\)|\|) [*+?{]
    | \([*+{] | \[.*\\[AzZB] | \(\?[a-z^-]*x.*[ ][*+?{]
    | \(\?=.*[*?}] | \(\?[a-z^-]*o
    | \(\?(?:[a-z^-]+(?![\w^:)-])|(?![\w^:=!>|<-]))
    | \\[^wWdDsSbBAzZtnhHRx1.()\[\]\$^+*?\\\/:<>-]
    | \\\w\{ | \\\[\[:
  /x;
}

sub expected {
  my ($pattern) = @_;
  no warnings;
  my $regex = eval { qr/$pattern/ };
  return 'error' unless defined $regex;
  return join('', map { /$regex/ ? 1 : 0 } @subjects);
}

my @patterns = map { pattern(0) } 1 .. $count;
my $input = File::Temp->new();
binmode($input);
for my $pattern (@patterns) {
  print $input join('', map { "$_\0" } $pattern, scalar(@subjects), @subjects);
}
close($input) or die "$input: $!\n";
open(STDIN, '<', "$input") or die "$input: $!\n";
open(my $pipe, '-|', $driver) or die "$driver: $!\n";
binmode($pipe);

my %tally = (different => 0, disputed => 0, matched => 0, none => 0, error => 0,
  slow => 0);
for my $pattern (@patterns) {
  local $/ = "\0";
  my $actual = <$pipe>;
  defined $actual or die "the driver stopped early\n";
  chomp($actual);
  if (is_disputed($pattern)) {
    $tally{disputed}++;
    next;
  }
  my $expected = expected($pattern);
  $tally{$expected eq 'error' ? 'error' : $expected =~ /1/ ? 'matched' : 'none'}++;
  # A "?" stands for a match that takes too long.
  $tally{slow} += () = $actual =~ /\?/g;
  $actual =~ s/\?/substr($expected, $-[0], 1)/ge;
  next if $expected eq $actual;
  $tally{different}++;
  print "pattern:  $pattern\nPerl:     $expected\nheapprof: $actual\n\n";
}
close($pipe) or die "$driver failed\n";
print join(', ', map { "$tally{$_} $_" } sort keys %tally),
  " of $count (seed $seed, Perl $^V)\n";
# A grammar that produces only one kind of pattern would prove nothing.
my $enough = !grep { $tally{$_} < $count / 50 } qw(matched none error);
exit($tally{different} == 0 && $enough && $tally{disputed} < $count / 4
    && $tally{slow} < $count / 1000 ? 0 : 1);
