"""The report page of a run, from Python."""
import disc_features as disc
import pytest
from disc_features import _core


def test_the_report_is_the_page_of_the_program(analysis, tmp_path):
    if not _core.has_report_page():
        with pytest.raises(disc.Error, match="report"):
            analysis.report()
        analysis.save(tmp_path)
        assert not (tmp_path / "report.html").exists()
        return
    page = analysis.report(tmp_path / "page.html")
    assert page.lstrip().lower().startswith("<!doctype html") and "f11" in page
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    analysis.save(tmp_path / "saved")
    assert (tmp_path / "saved" / "report.html").read_text(encoding="utf-8") == page
