"""The full-screen table: what the player sees and which keys he may press."""
