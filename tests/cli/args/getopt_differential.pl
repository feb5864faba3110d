#!/usr/bin/env perl
# SPDX-License-Identifier: Apache-2.0
#
# Feeds random command lines to Getopt::Long and to NormalizeArgs, with
# jeprof's options, and fails if the two disagree on the options, on the
# positionals or on the errors: their kind, the name that each is about, and the
# candidates or the value that it names.
#
#   getopt_differential.pl [--full] [--seed S] [--jeprof FILE] DRIVER [COUNT]
#
# DRIVER is normalize_args_driver, whose source describes the protocol. FILE is
# jeprof itself, whose table of options must be ours.
use strict;
use warnings;

# The variable changes the rules of Getopt::Long when it is loaded.
BEGIN { delete $ENV{POSIXLY_CORRECT} }
use File::Temp ();
use Getopt::Long ();

my $full = 0;
my $seed = 1;
my $jeprof;
Getopt::Long::GetOptions('full' => \$full, 'seed=i' => \$seed,
  'jeprof=s' => \$jeprof)
  && @ARGV >= 1 && @ARGV <= 2
  or die "usage: $0 [--full] [--seed S] [--jeprof FILE] DRIVER [COUNT]\n";
my ($driver, $count) = @ARGV;
$full ||= $ENV{HEAPPROF_FULL};
$count //= $full ? 20_000 : 2_000;
srand($seed);

open(my $spec_pipe, '-|', $driver, '--specs') or die "$driver: $!\n";
chomp(my @specs = <$spec_pipe>);
close($spec_pipe) or die "$driver --specs failed\n";
compare_tables($jeprof) if defined $jeprof;
my @names = map { /^([\w-]+)/ } @specs;
my %type  = map { /^([\w-]+)=?(.*)$/ } @specs;

my @integers = qw(0 1 -1 +5 80 007 1_000 _1 1_ __1__2__ -_3 +-1 1.5 1e3 0x10
  abc - -- -0 9223372036854775807 9223372036854775808 -9223372036854775808
  -9223372036854775809 99999999999999999999999 12a --text -text _ +);
push @integers, "5\n", "5\n\n", "\n", ' 5', '5 ', '';
my @fractions = qw(0 .5 0.005 1_0.0_5 1e3 1E-3 +.5 -.5 1e+1_0 1e 1e+ . e5 +
  -e abc 1.2.3 --5 inf nan 0x1p3 1.5e3.2 -- --gv 1e_-5 _5 _.5);
push @fractions, "0.5\n", ' .5', '';
my @strings = ('', '-', '--', '--text', '-x', '=', '==', 'a=b', '^main$',
  'a b', "a\nb", "caf\xc3\xa9", "\xff\xfe", '*', '+', '+x', 'operator<<');
my @positionals = ('app', './app', 'app.1.0.f.heap', '-', 'no', 'text', '=',
  'a=--text', '', ' ', "\xc3\xbc.heap", "\xff", "line\nbreak", '5', ' --text');
my @junk = ('--', '+', '---', '---text', '-=', '--=', '--=x', '--==x', '-+text',
  '+-text', '-?', "--\n", "--text\n", '-- ', '--no', '--no-', '-no_text',
  '--no-no-text', '--nonotext', '--no-nodecount=5', '--noheapcheck', '-1',
  "--t\xc3\x89xt", "--\xff=1", '--.*', '--t.xt', '--[', '--tex*', '--te$');

sub compare_tables {
  my ($file) = @_;
  local $/;
  open(my $script, '<', $file) or die "$file: $!\n";
  my ($call) = <$script> =~ /\bGetOptions\((.*?)\)\s*\|\|/s
    or die "$file: no call of GetOptions\n";
  my $theirs = join("\n", sort $call =~ /"([^"]+)"\s*=>/g);
  my $ours = join("\n", sort @specs);
  $theirs eq $ours or die "jeprof's table:\n$theirs\nours:\n$ours\n";
}

# One of the alternatives, which are [weight, sub].
sub choose {
  my @alternatives = @_;
  my $sum = 0;
  $sum += $_->[0] for @alternatives;
  my $ticket = rand($sum);
  for my $alternative (@alternatives) {
    $ticket -= $alternative->[0];
    return $alternative->[1]->() if $ticket < 0;
  }
  return $alternatives[-1][1]->();
}

sub one_of { return $_[int(rand(@_))] }

sub random_case {
  return join('', map { rand() < 0.5 ? uc : $_ } split(//, $_[0]));
}

# The name with one character removed, doubled or replaced.
sub with_typo {
  my ($name) = @_;
  my $at = int(rand(length($name)));
  my $c  = substr($name, $at, 1);
  substr($name, $at, 1, one_of('', $c . $c, one_of(qw(_ - a e x), '=')));
  return $name;
}

sub random_name {
  my ($name) = @_;
  $name = choose(
    [5, sub { $name }],
    [1, sub { "no$name" }],
    [1, sub { "no-$name" }],
    [.1, sub { "no_$name" }]);
  $name = substr($name, 0, 1 + int(rand(length($name)))) if rand() < 0.5;
  $name = random_case($name) if rand() < 0.2;
  $name = with_typo($name) if rand() < 0.05;
  return $name;
}

sub random_value {
  my ($type) = @_;
  $type = one_of('s', 'i', 'f') if rand() < 0.15;
  return one_of(@integers)  if $type eq 'i';
  return one_of(@fractions) if $type eq 'f';
  return one_of(@strings);
}

sub random_option {
  my $name  = one_of(@names);
  my $type  = $type{$name};
  my $typed = choose(
    [6, sub { '--' }], [3, sub { '-' }], [1, sub { '+' }])
    . random_name($name);
  my $switch = $type !~ /^[sif]$/;
  return choose(
    [$switch ? 9 : 1, sub { $typed }],
    [$switch ? .3 : 4, sub { "$typed=" . random_value($type) }],
    [$switch ? .3 : 4, sub { ($typed, random_value($type)) }]);
}

sub random_line {
  return map {
    choose(
      [6, \&random_option],
      [2, sub { one_of(@positionals) }],
      [.3, sub { one_of(@junk) }])
  } 1 .. int(rand(5));
}

# Versions of Getopt::Long disagree on some fractions ("5.", "0,5", "1._",
# "1e_"), and NormalizeArgs takes only those that make sense.
sub is_disputed {
  my ($arg) = @_;
  my $digits = qr/[0-9][0-9_]*/;
  return $arg =~ /(?:^|=)[-+]?[0-9.][0-9_.]*(?:.[0-9_]*)?
                (?:[eE][-+]?[0-9_]*)?$/x
    && $arg !~ /(?:^|=)[-+]?(?:$digits(?:\.$digits)?|\.$digits)
                (?:[eE][-+]?$digits)?$/x;
}

sub canonical_integer {
  my ($value) = @_;
  return '9223372036854775807'  if $value >= 9223372036854775807;
  return '-9223372036854775808' if $value <= -9223372036854775808;
  return $value == 0 ? '0' : "$value";
}

sub canonical_option {
  my ($name, $value) = @_;
  my $type = $type{$name};
  if ($type eq 'f') {
    $value =~ s/\n\z//;
    $value =~ s/^\+//;
    $value = lc($value) =~ s/e\+/e/r;
  }
  $value = canonical_integer($value) if $type eq 'i';
  return "--$name=$value" if $type =~ /^[sif]$/;
  return $value ? "--$name" : "--no-$name";
}

# The candidates for an ambiguous name as heapprof lists them: "--no-text" for
# both "notext" and "no-text", and not too many.
sub listed {
  my %names;
  for my $name (@_) {
    my ($switch) = $name =~ /^no-?(.*)/;
    my $negated = defined $type{$name} ? '' : 'no-';
    $names{'--' . ($negated ? "no-$switch" : $name)} = 1;
  }
  my @sorted = sort keys %names;
  my $more = @sorted > 8 ? ' and ' . (@sorted - 8) . ' more' : '';
  return join(', ', @sorted[0 .. ($#sorted < 7 ? $#sorted : 7)]) . $more;
}

# As heapprof shows what was typed.
sub printable {
  my ($text) = @_;
  $text =~ s/\xc2[\x80-\x9f]|[\x00-\x1f\x7f]/?/g;
  return $text;
}

# What is wrong, in words that do for both: [kind, name, more]. The name is in
# lower case. Getopt::Long has the full one where it knows the option, heapprof
# what was typed.
sub error_of_getopt {
  my ($warning) = @_;
  $warning =~ s/\n\z//;
  my ($kind, $name, $more) = ('unexpected', $warning, '');
  if ($warning =~ /^Unknown option: (.*)$/s) {
    ($kind, $name) = ('unknown', $1);
  } elsif ($warning =~ /^Missing option after (.*)$/s) {
    ($kind, $name) = ('unknown', '');
  } elsif ($warning =~ /^Option (.*) requires an argument$/s) {
    ($kind, $name) = ('needs value', $1);
  } elsif ($warning =~ /^Option (.*) does not take an argument$/s) {
    ($kind, $name) = ('takes no value', $1);
  } elsif ($warning =~ /^Option (.*) is ambiguous \((.*)\)$/s) {
    ($kind, $name, $more) = ('ambiguous', $1, listed(split(/, /, $2)));
  } elsif ($warning =~
    /^Value "(.*)" invalid for option (.*) \((real )?number expected\)$/s) {
    ($kind, $name, $more) = ($3 ? 'no number' : 'no integer', $2, $1);
  }
  return [$kind, printable(lc($name)), printable($more)];
}

sub error_of_ours {
  my ($message) = @_;
  my $typed = qr/(?:--|[-+])(.*)/;
  $message =~ s/; (?:did you mean '[^']*'\?|a limit with blanks needs .*)$//;
  my ($kind, $name, $more) = ('unexpected', $message, '');
  if ($message =~ /^unknown option '$typed'$/) {
    ($kind, $name) = ('unknown', $1);
  } elsif ($message =~ /^option '$typed' needs a value(?: after '=')?$/) {
    ($kind, $name) = ('needs value', $1);
  } elsif ($message =~ /^option '$typed' takes no value, got '.*'$/) {
    ($kind, $name) = ('takes no value', $1);
  } elsif ($message =~ /^option '$typed' is ambiguous: (.*)$/) {
    ($kind, $name, $more) = ('ambiguous', $1, $2);
  } elsif (
    $message =~ /^option '$typed' needs an? (integer|number), got '(.*)'$/) {
    ($kind, $name, $more) = ("no $2", $1, $3);
  }
  return [$kind, lc($name), $more];
}

sub is_same_error {
  my ($theirs, $ours) = @_;
  my ($kind, $name, $more) = @$theirs;
  return 0 if $kind ne $ours->[0] || $more ne $ours->[2];
  return $name eq $ours->[1] if $kind =~ /^(?:unknown|ambiguous)$/;
  return index($name, $ours->[1]) == 0;
}

sub are_same_errors {
  my ($theirs, $ours) = @_;
  return 0 if @$theirs != @$ours;
  return !grep { !is_same_error($theirs->[$_], $ours->[$_]) } 0 .. $#$ours;
}

# What Getopt::Long makes of the arguments; it goes on after an error.
sub expected {
  my @args = @_;
  my (@options, @warnings);
  my $handler = sub { push @options, canonical_option("$_[0]", $_[1]) };
  local $SIG{__WARN__} = sub { push @warnings, join('', @_) };
  my $accepted =
    Getopt::Long::GetOptionsFromArray(\@args, map { $_ => $handler } @specs);
  die "accepted with @warnings\n" if $accepted && @warnings;
  die "rejected without a warning\n" if !$accepted && !@warnings;
  return { options => \@options, positionals => \@args,
    errors => [map { error_of_getopt($_) } @warnings] };
}

sub next_field {
  my ($pipe) = @_;
  local $/ = "\0";
  my $field = <$pipe>;
  die "the driver stopped early\n" unless defined $field;
  chomp($field);
  return $field;
}

sub next_list {
  my ($pipe) = @_;
  return [map { next_field($pipe) } 1 .. next_field($pipe)];
}

# What the driver says about the next line.
sub actual {
  my ($pipe) = @_;
  my ($options, $positionals, $messages) = map { next_list($pipe) } 1 .. 3;
  for my $message (@$messages) {
    die "not one line: $message\n"
      if $message =~ /[\x00-\x1f\x7f]/ || $message !~ /^[a-z]/;
  }
  return { options => $options, positionals => $positionals,
    errors => [map { error_of_ours($_) } @$messages] };
}

sub quoted {
  return join(' ', map {
    my $text = $_;
    $text =~ s/([^ -~]|[\\'])/sprintf('\\x%02x', ord($1))/ge;
    "'$text'"
  } @_);
}

sub shown {
  my ($result) = @_;
  return quoted(@{$result->{options}}) . ' | '
    . quoted(@{$result->{positionals}});
}

sub shown_errors {
  return join('', map { "\n    " . quoted(@$_) } @{$_[0]{errors}});
}

my @lines = map { [random_line()] } 1 .. $count;
my $input = File::Temp->new();
binmode($input);
print $input join('', map { "$_\0" } scalar(@$_), @$_) for @lines;
close($input) or die "$input: $!\n";
open(STDIN, '<', "$input") or die "$input: $!\n";
open(my $pipe, '-|', $driver) or die "$driver: $!\n";
binmode($pipe);

my %tally = (accepted => 0, rejected => 0, 'rejected more than once' => 0,
  disputed => 0, different => 0);
for my $line (@lines) {
  my $actual = actual($pipe);
  if (grep { is_disputed($_) } @$line) {
    $tally{disputed}++;
    next;
  }
  my $expected = expected(@$line);
  my $errors = @{$expected->{errors}};
  $tally{$errors == 0 ? 'accepted' : 'rejected'}++;
  $tally{'rejected more than once'}++ if $errors > 1;
  next if shown($expected) eq shown($actual)
    && are_same_errors($expected->{errors}, $actual->{errors});
  $tally{different}++;
  print 'arguments:    ', quoted(@$line), "\n";
  print 'Getopt::Long: ', shown($expected), shown_errors($expected), "\n";
  print 'heapprof:     ', shown($actual), shown_errors($actual), "\n\n";
}
close($pipe) or die "$driver failed\n";

print join(', ', map { "$tally{$_} $_" } sort keys %tally),
  " of $count (seed $seed, Getopt::Long $Getopt::Long::VERSION)\n";
# A grammar that produces only one kind of line would prove nothing.
my $least = $count / 10;
exit($tally{different} == 0
    && $tally{accepted} >= $least && $tally{rejected} >= $least
    && $tally{'rejected more than once'} >= $least / 2 ? 0 : 1);
