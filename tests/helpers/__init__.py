"""What several test files share."""

import pytest

pytest.register_assert_rewrite("helpers.other_games")
