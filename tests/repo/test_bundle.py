"""The committed front-end bundle is byte for byte what its sources build."""

import subprocess

import sources

STATIC = sources.PACKAGE / "widgets" / "static"


def test_bundle_is_what_the_sources_build(tmp_path):
    done = subprocess.run(
        ["npm", "run", "--silent", "build", "--", "--out", str(tmp_path)],
        cwd=sources.ROOT / "widgets", capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    built = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    committed = {p.name: p.read_bytes() for p in STATIC.iterdir()}
    assert sorted(built) == sorted(committed)
    stale = [name for name in built if built[name] != committed[name]]
    assert not stale, f"{stale} differ: `make bundle`, then commit tfedu/widgets/static"


def test_bundle_asks_for_nothing_from_the_network():
    for file in STATIC.iterdir():
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
        assert "://" not in text, file.name
