"""How strong the bots are against opponents that they do not know, and where their weights come from."""
