"""View models: plain data and finished sentences, from which full screen and line mode are made."""
