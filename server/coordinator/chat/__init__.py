"""What is said in the lobby, at tables and in private: who may, and who hears it."""
