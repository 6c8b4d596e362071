"""People: who is here, and what there is to know of somebody."""
