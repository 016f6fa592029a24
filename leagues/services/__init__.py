"""Everything that writes facts. Views, the API, the admin, commands and jobs call these."""
