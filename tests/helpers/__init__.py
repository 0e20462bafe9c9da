"""What several test files share."""

import pytest

pytest.register_assert_rewrite("helpers.command_line", "helpers.other_games", "helpers.searches")
