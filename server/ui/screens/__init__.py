"""Screens: plain functions from a view model and a size to a frame."""
