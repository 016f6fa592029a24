"""What people do, with script and without."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import enter


def test_an_entered_result_is_rated_and_shown_by_itself(organizer, league):
    page = organizer.new_page()
    enter(page, "Tess Molina", "Pau Ferrer", scores=(7, 5))
    expect(page.locator("#account")).to_contain_text("Before and after", timeout=5000)
    told = page.get_by_role("region", name="Before and after")
    expect(told.locator("tbody tr")).to_have_count(2)


def test_an_open_board_and_an_open_match_follow_by_themselves(site, organizer, league):
    board, match = organizer.new_page(), organizer.new_page()
    board.goto("/l/demo/")
    count = int(re.findall(r"\d+", board.inner_text("#facts"))[0])
    with site.paused_runners():
        enter(match, "Uma Krishnan", "Bo Lindqvist", scores=(7, 6))
        expect(match.locator("#account")).to_contain_text(
            "The rating change will appear here shortly"
        )
        board.goto("/l/demo/")
        expect(board.locator("#pulse")).to_contain_text("New results are being rated.")
        expect(board.locator("#facts")).to_contain_text(f"{count} results")
    expect(board.locator("#facts")).to_contain_text(f"{count + 1} results", timeout=5000)
    expect(board.locator("#pulse")).to_be_empty()
    expect(match.locator("#account")).to_contain_text("Before and after", timeout=5000)


def test_a_profile_and_a_revision_follow_a_correction_by_themselves(site, organizer, league):
    profile, change = organizer.new_page(), organizer.new_page()
    enter(change, "Vera Lindholm", "Wim de Boer", scores=(7, 6))
    expect(change.locator("#account")).to_contain_text("Before and after", timeout=5000)
    with site.paused_runners():
        change.click("text=Correct")
        change.fill("[name=score_one]", "2")
        change.click("button:has-text('Preview')")
        change.click("text=Save the correction")
        expect(change.locator("#moves")).to_contain_text("being computed again")
        profile.goto("/l/demo/p/vera-lindholm/")
        expect(profile.locator("#computing")).to_contain_text("being computed again")
        before = profile.inner_text(".big")
    expect(change.locator("#moves")).to_contain_text("ratings moved", timeout=5000)
    expect(change.locator("#moves")).to_contain_text("Vera Lindholm")
    expect(profile.locator("#computing")).to_have_count(0, timeout=5000)
    assert profile.inner_text(".big") != before


def test_pressing_twice_records_once(organizer, league):
    page = organizer.new_page()
    page.goto("/l/demo/enter/")
    page.fill("[name=one_1]", "Rosa Teixeira")
    page.fill("[name=two_1]", "Quinn Doyle")
    page.fill("[name=score_one]", "7")
    page.fill("[name=score_two]", "1")
    page.dblclick("text=Record the result")
    page.wait_for_selector("#account")
    page.goto("/l/demo/results/?q=rosa")
    expect(page.locator("tr", has_text="Rosa Teixeira beat Quinn Doyle 7–1").nth(1)).to_have_count(
        0
    )


def test_names_are_searched_while_typing_and_the_address_follows(visitor, league):
    page = visitor.new_page()
    page.goto("/l/demo/")
    page.keyboard.press("/")
    page.keyboard.type("farah")
    expect(page.locator("#standings tbody tr")).to_have_count(1)
    expect(page).to_have_url(re.compile("q=farah"))
    expect(page.locator("#find")).to_be_focused()
    expect(page.locator("#said")).to_have_text("1 player")
    page.go_back()
    expect(page.locator("#standings tbody tr")).not_to_have_count(1)


def test_the_certainty_filter_works_with_the_keyboard(visitor, league):
    page = visitor.new_page()
    page.goto("/l/demo/")
    everyone = page.locator("#standings tbody tr").count()
    page.focus("[name=sure][value=any]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("sure=sure"))
    assert page.locator("#standings tbody tr").count() <= everyone


def test_a_new_name_is_asked_about_before_it_is_made(organizer, league):
    page = organizer.new_page()
    page.goto("/l/demo/enter/")
    page.fill("[name=one_1]", "Ana Ruis")
    page.fill("[name=two_1]", "Jun Park")
    page.check("[name=outcome][value=one]")
    page.click("text=Record the result")
    expect(page.locator("select[name=answer]")).to_have_value("")
    page.select_option("select[name=answer]", "ana-ruiz")
    page.click("text=Record the result")
    expect(page.locator(".score")).to_contain_text("Ana Ruiz")


def test_undo_is_one_press_and_can_be_undone(organizer, league):
    page = organizer.new_page()
    enter(page, "Noor Rahman", "Luca Bianchi", scores=(7, 0))
    page.click("main >> text=/change \\d+/")
    page.click("button:has-text('Undo')")
    expect(page.locator("h1")).to_contain_text("undone")
    page.click("button:has-text('Bring the result back')")
    expect(page.locator("main")).to_contain_text("undoes")


def test_light_or_dark_is_kept_by_the_server_so_that_nothing_flashes(visitor, league):
    page = visitor.new_page()
    page.goto("/l/demo/")
    page.click("button:has-text('dark')")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    response = page.goto("/l/demo/results/")
    assert 'data-theme="dark"' in response.text()


def test_without_script_filters_results_and_undo_work(plain, league):
    page = plain.new_page()
    page.goto("/l/demo/")
    page.fill("[name=q]", "farah")
    page.locator("#filters button:has-text('Show')").first.click()
    expect(page.locator("#standings tbody tr")).to_have_count(1)
    enter(page, "Vera Sokolova", "Sven Aalto", scores=(7, 2))
    page.reload()
    expect(page.locator("#account")).to_contain_text("Before and after", timeout=10_000)
    page.click("main >> text=/change \\d+/")
    page.click("button:has-text('Undo')")
    expect(page.locator("h1")).to_contain_text("undone")


def test_without_script_light_or_dark_is_a_form(plain, league):
    page = plain.new_page()
    page.goto("/l/demo/results/")
    page.click("button:has-text('dark')")
    expect(page).to_have_url(re.compile("/l/demo/results/"))
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_a_kind_of_match_is_named_once_and_chosen_with_one_tap(organizer, league):
    page = organizer.new_page()
    page.goto("/l/demo/settings/modes/")
    page.locator("main table a").first.click()
    address = page.url
    for row, (name, weight) in enumerate((("League", "1"), ("Cup", "1.5")), 1):
        page.fill(f"[name=name_{row}]", name)
        page.fill(f"[name=weight_{row}]", weight)
    page.click("text=Save the kinds")
    expect(page.locator("body")).to_contain_text("Settings saved.")
    page.goto("/l/demo/enter/?a=Tess Molina&b=Pau Ferrer")
    expect(page.locator("#change")).to_contain_text("At stake for Tess Molina (Cup ×1.5)")
    page.get_by_label("Cup ×1.5").check(force=True)
    page.fill("[name=score_one]", "7")
    page.fill("[name=score_two]", "3")
    page.click("text=Record the result")
    expect(page.locator(".facts-line").first).to_contain_text("Cup ×1.5")
    page.goto(address)
    for row in (1, 2):
        page.fill(f"[name=name_{row}]", "")
        page.fill(f"[name=weight_{row}]", "")
    page.click("text=Save the kinds")
    expect(page.locator("body")).to_contain_text("Settings saved.")
