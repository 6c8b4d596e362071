"""A node among others that share a database and a bus: leases, and what it knows of the others."""
