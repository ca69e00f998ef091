"""disc explore: the page of a run served to this machine alone, and to those who know its address."""
import concurrent.futures
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import urllib.parse

import numpy as np
import pytest

from program import PROGRAM, disc, refused, run_ok, table

QUICK = ["--permutations", "39", "--bootstraps", "0"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a run over two conditions of 120 samples."""
    place = tmp_path_factory.mktemp("explore")
    assert disc("simulate", "newly-connected", "--samples", "120", "-o", place / "data", "-q").returncode == 0
    run_ok(place / "data" / "A.npy", place / "data" / "B.npy", *QUICK, "-q", "-o", place / "out")
    return place / "out"


class Served:
    """A server at work, and how to ask it."""

    def __init__(self, folder, *words):
        self.process = subprocess.Popen([PROGRAM, "explore", str(folder), *map(str, words)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, bufsize=1)
        written = ""
        while "Ctrl-C" not in written:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            written += line
        self.url = urllib.parse.urlsplit(re.search(r"http://\S+", written).group())
        self.token = self.url.path.strip("/")

    def ask(self, path, method="GET", body=None, **headers):
        """Status, headers and body; `path` is below the token."""
        return self.ask_at(self.url.path + path, method, body, **headers)

    def ask_at(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.url.port, timeout=120)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def question(self, name, what):
        status, _, body = self.ask(f"ask/{name}", "POST", json.dumps(what).encode(), Content_Type="application/json")
        return status, json.loads(body)

    def raw(self, data):
        """What comes back for these bytes."""
        with socket.create_connection(("127.0.0.1", self.url.port), timeout=30) as connection:
            connection.sendall(data)
            answer = b""
            while True:
                more = connection.recv(65536)
                if not more:
                    return answer
                answer += more

    def stop(self, how=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(how)
        output, errors = self.process.communicate(timeout=60)
        return self.process.returncode, output, errors


@pytest.fixture
def served(finished):
    server = Served(finished)
    yield server
    server.stop()


# ---- the page ----


def test_the_page_and_the_files_of_the_run_are_there(served, finished):
    status, headers, page = served.ask("")
    assert status == 200 and headers["Content-Type"].startswith("text/html")
    assert b"connect-src 'self'" in page and b"connect-src" not in (finished / "report.html").read_bytes()
    for name in ["groups.tsv", "summary.json", "vectors.npz"]:
        status, headers, content = served.ask(f"files/{name}")
        assert status == 200 and content == (finished / name).read_bytes()
        assert headers["Content-Disposition"].startswith("attachment")
    assert served.ask("", "HEAD")[2] == b""


def test_the_address_without_the_last_slash_leads_to_the_page(served):
    status, headers, _ = served.ask_at("/" + served.token)
    assert status == 303 and headers["Location"] == f"/{served.token}/"


def test_nothing_is_kept_or_guessed_by_the_browser(served):
    headers = served.ask("")[1]
    assert headers["Cache-Control"] == "no-store" and headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer" and "Access-Control-Allow-Origin" not in headers


# ---- who is answered ----


@pytest.mark.parametrize("path", ["/", "/files/groups.tsv", "/ask/test", "/0123456789abcdef0123456789abcdef/", "/favicon.ico"])
def test_without_the_token_nothing_is_answered(served, path):
    status, _, body = served.ask_at(path)
    assert status == 403 and b"disc explore" in body and served.token.encode() not in body


def test_a_token_that_is_almost_right_is_wrong(served):
    other = served.token[:-1] + ("0" if served.token[-1] != "0" else "1")
    assert served.ask_at(f"/{other}/")[0] == 403
    assert served.ask_at(f"/{served.token}0/")[0] == 403
    assert served.ask_at(f"/{served.token.upper() if served.token.upper() != served.token else 'X'}/")[0] == 403


def test_tokens_differ(finished, served):
    other = Served(finished)
    try:
        assert other.token != served.token and re.fullmatch("[0-9a-f]{32}", other.token)
        assert other.ask_at(served.url.path)[0] == 403
    finally:
        other.stop()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.nip.example:{port}", "[::1]:{port}", ""])
def test_other_hosts_are_refused(served, host):
    status, _, body = served.ask("", Host=host.format(port=served.url.port))
    assert status == 403 and b"<html" not in body


def test_localhost_is_this_host(served):
    assert served.ask("", Host=f"localhost:{served.url.port}")[0] == 200


def test_without_a_host_nothing_is_answered(served):
    assert served.raw(f"GET {served.url.path} HTTP/1.0\r\n\r\n".encode()).startswith(b"HTTP/1.1 403")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"])
def test_pages_of_other_places_are_refused(served, origin):
    assert served.ask("", Origin=origin.format(port=served.url.port))[0] == 403


def test_only_this_machine_can_connect(served):
    listening = [line.split() for line in open("/proc/net/tcp").read().splitlines()[1:]]
    port = f"{served.url.port:04X}"
    places = [line[1] for line in listening if line[1].endswith(":" + port) and line[3] == "0A"]
    assert places == ["0100007F:" + port]
    assert not any(line.split()[1].endswith(":" + port) for line in open("/proc/net/tcp6").read().splitlines()[1:])


# ---- files ----


@pytest.mark.parametrize("path", ["files/../secret.tsv", "files/..%2fsecret.tsv", "files/%2e%2e/secret.tsv", "files//etc/passwd", "files/", "files/.", "files/secret.tsv",
                                  "../secret.tsv", "%2e%2e/secret.tsv", "files/groups.tsv/", "files/./groups.tsv", "files/groups.tsv%00", "files/linked", "ask/../files/groups.tsv"])
def test_only_files_of_the_run_are_given(finished, path):
    (finished.parent / "secret.tsv").write_text("secret")
    (finished / "secret.tsv").write_text("secret")
    server = Served(finished)
    try:
        status, _, body = server.ask(path)
        assert status in (403, 404) and b"secret" not in body and b"root:" not in body
    finally:
        server.stop()


def test_links_lead_nowhere(finished, tmp_path):
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(finished), str(copy)], check=True)
    (tmp_path / "secret").write_text("secret")
    server = Served(copy)
    try:
        (copy / "enrichment.tsv").symlink_to(tmp_path / "secret")
        status, _, body = server.ask("files/enrichment.tsv")
        assert status == 404 and b"secret\n" not in body
    finally:
        server.stop()


def test_nothing_is_written(finished, tmp_path):
    def content(place):
        return {path: path.stat().st_mtime_ns for path in sorted(place.rglob("*"))}

    before = content(finished)
    server = Served(finished)
    server.ask("")
    server.question("about", {})
    server.stop()
    assert content(finished) == before


# ---- odd requests ----


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get"])
def test_other_methods_are_refused(served, method):
    assert served.ask("", method)[0] == 405


@pytest.mark.parametrize("request_bytes, status", [
    (b"\r\n\r\n", 400),
    (b"GET\r\n\r\n", 400),
    (b"GET / HTTP/9\r\n\r\n", 400),
    (b"GET http://evil.example/ HTTP/1.1\r\n\r\n", 400),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    (b"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", 400),
    (b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
    (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
    (b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n", 431),
    (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000, 431),
])
def test_what_is_no_request_is_refused(served, request_bytes, status):
    assert served.raw(request_bytes).startswith(f"HTTP/1.1 {status} ".encode())
    assert served.ask("")[0] == 200, "the others are answered all the same"


def test_a_request_may_come_in_pieces(served):
    with socket.create_connection(("127.0.0.1", served.url.port), timeout=30) as connection:
        for letter in f"GET {served.url.path} HTTP/1.1\r\nHost: 127.0.0.1:{served.url.port}\r\n\r\n":
            connection.sendall(letter.encode())
        assert connection.recv(12) == b"HTTP/1.1 200"


def test_questions_are_asked_in_one_way_only(served):
    assert served.ask("ask/about")[0] == 405
    assert served.ask("ask/about", "POST", b"{}")[0] == 415
    assert served.ask("ask/about", "POST", b"{}", Content_Type="text/plain")[0] == 415
    assert served.ask("ask/nothing", "POST", b"{}", Content_Type="application/json")[0] == 404
    assert served.ask("", "POST", b"{}", Content_Type="application/json")[0] == 405
    for body in [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"features": 3}', b"[" * 100000]:
        assert served.ask("ask/test", "POST", body, Content_Type="application/json")[0] == 400, body[:20]


# ---- what the engine answers ----


def members(folder):
    rows = [line.split("\t") for line in (folder / "groups.tsv").read_text().splitlines()]
    group, feature = rows[0].index("group"), rows[0].index("feature")
    return [row[feature] for row in rows[1:] if row[group] == rows[1][group]]


def said_by_program(folder, tmp_path, sets, *words):
    """What disc test says of these sets, by name."""
    (tmp_path / "sets.gmt").write_text("".join(f"{name}\t\t" + "\t".join(features) + "\n" for name, features in sets.items()))
    done = disc("test", folder, "--sets", tmp_path / "sets.gmt", "-o", tmp_path / "tested", "-q", *words)
    assert done.returncode == 0, done.stderr
    return {row["set"]: row for row in table(tmp_path / "tested" / "sets.tsv")}


def test_p_is_that_of_disc_test(served, finished, tmp_path):
    group = members(finished)
    sets = {"group": group, "half": group[::2], "others": [f"f{k}" for k in range(1, 240, 7)]}
    said = said_by_program(finished, tmp_path, sets)
    status, answer = served.question("test", {"sets": [{"name": name, "features": features} for name, features in sets.items()]})
    assert status == 200 and len(answer["tests"]) == 3 and answer["missing"] == [[], [], []]
    for test in answer["tests"]:
        row = said[list(sets)[test["set"]]]
        for column in ("p", "q", "statistic"):
            assert test[column] == pytest.approx(float(row[column]), rel=1e-12), column
        assert test["condition"] == row["condition"]


def test_members_that_are_not_there_are_named(served):
    status, answer = served.question("test", {"sets": [{"name": "odd", "features": ["f1", "f2", "f3", "f1", "nobody", "<b>"]}]})
    assert status == 200 and answer["tests"][0]["features"] == ["f1", "f2", "f3"]
    assert [one["feature"] for one in answer["missing"][0]] == ["nobody", "<b>"]
    status, answer = served.question("test", {"sets": [{"name": "few", "features": ["f1", "nobody"]}]})
    assert status == 200 and answer["tests"] == [] and answer["not_tested"] == [0]


def test_the_root_of_the_tree_is_the_set(served, finished):
    group = members(finished)
    _, answer = served.question("test", {"sets": [{"name": "group", "features": group}]})
    condition = answer["tests"][0]["condition"]
    status, tree = served.question("tree", {"name": "group", "features": group, "condition": condition})
    assert status == 200 and sorted(tree["features"]) == sorted(group) and len(tree["nodes"]) == len(group) - 1
    root = tree["nodes"][-1]
    assert root["size"] == len(group) and root["correlations"] == pytest.approx(answer["tests"][0]["correlations"], abs=1e-4)
    heights = [node["height"] for node in tree["nodes"]]
    assert heights == sorted(heights, reverse=True)
    joined = [part for node in tree["nodes"] for part in (node["left"], node["right"])]
    assert sorted(joined) == list(range(2 * len(group) - 2)), "every part but the root is joined once"


@pytest.fixture(scope="module")
def donors(tmp_path_factory):
    """A run of six donors per condition."""
    place = tmp_path_factory.mktemp("donors")
    generator = np.random.default_rng(4)
    for condition in ("a", "b"):
        shared = generator.normal(size=(120, 1)) if condition == "b" else 0
        values = generator.normal(size=(120, 20)) + np.hstack([np.ones((1, 8)), np.zeros((1, 12))]) * shared
        rows = [f"{condition}{i},d{condition}{i % 6}," + ",".join(map(str, row)) for i, row in enumerate(values)]
        (place / f"{condition}.csv").write_text("sample,donor," + ",".join(f"g{j}" for j in range(20)) + "\n" + "\n".join(rows) + "\n")
    run_ok(place / "a.csv", place / "b.csv", "--unit", "donor", *QUICK, "-q", "-o", place / "out")
    return place / "out"


def test_units_can_be_left_out(donors, tmp_path):
    features = [f"g{j}" for j in range(8)]
    server = Served(donors)
    try:
        _, about = server.question("about", {})
        assert about["unit"] == "donor" and [unit["name"] for unit in about["units"]] == [f"d{c}{k}" for c in "ab" for k in range(6)]
        status, answer = server.question("without-each", {"name": "set", "features": features})
        assert status == 200 and [row["without"] for row in answer["rows"]] == [unit["name"] for unit in about["units"]]
        for row in answer["rows"][::5]:
            said = said_by_program(donors, tmp_path, {"set": features}, "--without", row["without"])["set"]
            assert row["p"] == pytest.approx(float(said["p"]), rel=1e-12)
            status, one = server.question("test", {"sets": [{"name": "set", "features": features}], "without": [row["without"]]})
            assert one["tests"][0]["p"] == row["p"]
        assert server.question("test", {"sets": [{"name": "set", "features": features}], "without": ["nobody"]})[0] == 422
    finally:
        server.stop()


def test_data_that_are_gone_or_changed_are_spoken_of(donors, tmp_path):
    copy = tmp_path / "place"
    shutil.copytree(donors.parent, copy)
    summary = copy / "out" / "summary.json"
    summary.write_text(summary.read_text().replace(str(donors.parent), str(copy)))
    with open(copy / "a.csv", "a") as file:
        file.write("a999,da0," + ",".join(["0.5"] * 20) + "\n")
    server = Served(copy / "out")
    try:
        _, about = server.question("about", {})
        assert about["samples"] == [121, 120] and any("a.csv has changed" in text for text in about["warnings"])
    finally:
        server.stop()
    (copy / "b.csv").unlink()
    server = Served(copy / "out")
    try:
        status, answer = server.question("about", {})
        assert status == 422 and "b.csv" in answer["error"] and "is not there" in answer["error"]
        assert server.ask("")[0] == 200, "the page can be read all the same"
    finally:
        server.stop()


# ---- many, and the end ----


def test_fifty_questions_at_once(served):
    question = {"sets": [{"name": "set", "features": ["f1", "f2", "f3", "f4"]}]}
    first = served.question("test", question)
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: served.question("test", question), range(50)))
    assert first[0] == 200 and all(answer == first for answer in answers)


def test_it_stops_while_the_engine_is_at_work(finished):
    server = Served(finished)
    features = [f"f{k}" for k in range(1, 250)]
    body = json.dumps({"sets": [{"name": str(k), "features": features} for k in range(1000)], "permutations": 99999}).encode()
    head = f"POST {server.url.path}ask/test HTTP/1.1\r\nHost: 127.0.0.1:{server.url.port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.url.port), timeout=60) as connection:
        connection.sendall(head.encode() + body)
        while json.loads(server.ask("now/progress")[2])["stage"] != "sets":
            pass
        code, _, errors = server.stop()
        assert code in (0, 130) and errors.strip() == ""


def test_fifty_requests_at_once(served, finished):
    page = served.ask("")[2]
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda k: served.ask("" if k % 2 else "files/features.tsv"), range(50)))
    assert [status for status, _, _ in answers] == [200] * 50
    features = (finished / "features.tsv").read_bytes()
    assert all(body == (page if k % 2 else features) for k, (_, _, body) in enumerate(answers))


def test_whoever_says_nothing_does_not_hold_up_the_others(served):
    silent = [socket.create_connection(("127.0.0.1", served.url.port), timeout=30) for _ in range(60)]
    for connection in silent[::2]:
        connection.sendall(b"GET /")
    assert served.ask("")[0] == 200
    for connection in silent:
        connection.close()
    assert served.ask("")[0] == 200


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_stops_cleanly(finished, how):
    server = Served(finished)
    waiting = socket.create_connection(("127.0.0.1", server.url.port), timeout=30)
    code, output, errors = server.stop(how)
    assert code == 0 and output.endswith("ended\n") and errors == ""
    try:
        assert waiting.recv(10) == b""
    except ConnectionResetError:
        pass  # it was not yet taken in
    waiting.close()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.url.port), timeout=5)


def test_a_port_can_be_chosen_and_is_refused_where_it_is_taken(finished, served):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Served(finished, "--port", port)
    assert server.url.port == port
    refused(2, "explore", finished, "--port", port, says=["--port", str(port), "cannot be listened on"])
    server.stop()
    refused(2, "explore", finished, "--port", "70000")


def test_a_folder_without_a_run_is_refused(tmp_path):
    refused(3, "explore", tmp_path, says="summary.json")
    refused(3, "explore", tmp_path / "nothing", says="no folder")
    assert os.listdir(tmp_path) == []
