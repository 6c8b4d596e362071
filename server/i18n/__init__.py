"""Words in each player's language: gettext catalogues, English as the source."""
