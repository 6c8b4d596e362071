"""Which edition of the rules is played, for commands that play."""

import click

from engine.editions import Edition

edition_option = click.option(
    "--edition",
    metavar="|".join(Edition),
    type=click.Choice([str(each) for each in Edition]),
    default=str(Edition.AMIGO),
    help="Edition of the rules.",
)
