#!/usr/bin/env perl
# magpie: a bot in another language. It speaks JSON lines with qpolis: messages come on standard input, one a line,
# answers go to standard output. It plays Quadropolis: it picks what glitters most, and builds high.
#
# Nothing but Perl itself is needed. What a program has to understand is in the loop below; the rest is taste.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # answers must not wait in a buffer

my %worth = (tower => 4, service => 4, shop => 3, harbor => 3, factory => 3, park => 2, office => 4, monument => 2);
my %needs = (tower => "energy", shop => "energy", office => "energy", park => "", monument => "",
    service => "inhabitants", factory => "inhabitants", harbor => "inhabitants");
my $glitter = 1;    # a parameter: what printed points count

while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my $type = $message->{type};
    if ($type eq "hello" && $message->{game}{name} ne "quadropolis") {
        answer({type => "error", end => "crash", message => "plays Quadropolis only, not $message->{game}{title}"});
    } elsif ($type eq "hello") {    # once: the game, our parameters, the limits
        $glitter = $message->{parameters}{glitter} // 1;
        answer({type => "hello", protocol => 1, name => "magpie"});
    } elsif ($type eq "choose") {    # what we see, the legal actions (numbers), and their texts
        answer({action => choose($message)});
    } elsif ($type eq "quit") {
        last;
    }    # "start" and "end" of a game, and types we do not know, need no answer
}

sub answer { print encode_json(shift), "\n" }

# The action whose text we like best; of equal ones the first.
sub choose {
    my ($message) = @_;
    my ($best, $best_value);
    for my $i (0 .. $#{$message->{legal}}) {
        my $value = value($message->{observation}, $message->{texts}[$i]);
        ($best, $best_value) = ($message->{legal}[$i], $value) if !defined $best_value || $value > $best_value;
    }
    return $best;
}

# 3@N2 takes a tile from the site, c2 builds it on a square of our city, discard throws it away.
sub value {
    my ($seen, $text) = @_;
    return -1 if $text eq "discard";
    my $city = $seen->{cities}[$seen->{seat}];
    if ($text =~ /^(\d)\@([NESW])(\d)$/) {
        my $tile = $seen->{site}[site_square($1, $2, $3)] or return -5;
        my $value = $worth{$tile->{type}} + $glitter * $tile->{vp};
        for my $store ("energy", "inhabitants") {    # what we have in store beyond what our buildings need
            my $spare = $seen->{$store}[$seen->{seat}] - grep { $_ && $needs{$_->{type}} eq $store } @$city;
            $value += 2 * $tile->{$store} if $spare < 2;
            $value -= 3 if $needs{$tile->{type}} eq $store && $spare + $tile->{$store} < 1;
        }
        return $value;
    }
    my $columns = @$city / 4;
    my ($column, $line) = (ord($text) - ord("a"), substr($text, 1) - 1);
    my $built = $city->[$line * $columns + $column];
    return 10 + $built->{floors} if $built;    # one more floor
    my $value = 0;
    for ([$line - 1, $column], [$line + 1, $column], [$line, $column - 1], [$line, $column + 1]) {
        my ($y, $x) = @$_;
        next if $y < 0 || $y > 3 || $x < 0 || $x >= $columns;
        my $beside = $city->[$y * $columns + $x] or next;
        $value += $beside->{type} eq $seen->{held}{tile}{type} ? 2 : 1;
    }
    return $value;
}

# The square that an architect takes from when it stands at a side of the site, at a line or column (from 1).
sub site_square {
    my ($number, $side, $index) = @_;
    my ($line, $column) = $side eq "N" ? ($number, $index) : $side eq "S" ? (6 - $number, $index)
        : $side eq "W" ? ($index, $number) : ($index, 6 - $number);
    return ($line - 1) * 5 + $column - 1;
}
