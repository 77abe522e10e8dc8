"""Images, sound, files and other content."""

import io
import wave

import weave
from PIL import Image
from programs import stored


def picture(colour=(200, 30, 60), size=(40, 20)):
    image = Image.new("RGB", size, colour)
    image.putpixel((1, 2), (1, 2, 3))
    return image


def sound(path, seconds=0.1):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8_000)
        file.writeframes(bytes(range(256)) * int(8_000 * seconds * 2 // 256 + 1))
    return path


def published(client, value, name):
    """Publishes a value and reads it back after a flush: the SDK uploads files in the background."""
    ref = weave.publish(value, name=name)
    client.flush()
    return ref.get()


def test_an_image_is_published_and_read(client):
    read = published(client, {"image": picture()}, "picture")["image"]
    assert read.size == (40, 20)
    assert read.convert("RGB").tobytes() == picture().tobytes()


def test_images_in_and_out_of_calls(client):
    @weave.op
    def turn(image: Image.Image) -> Image.Image:
        return image.rotate(90, expand=True)

    turn(picture())
    [call] = stored(client)
    assert call.inputs["image"].size == (40, 20) and call.output.size == (20, 40)


def test_the_same_image_twice_is_one_version(client):
    first = weave.publish({"image": picture()}, name="twice")
    second = weave.publish({"image": picture()}, name="twice")
    assert first.digest == second.digest


def test_a_large_image_of_noise(client):
    import os

    image = Image.frombytes("RGB", (900, 700), os.urandom(900 * 700 * 3))
    read = published(client, {"image": image}, "noise")["image"]
    assert read.convert("RGB").tobytes() == image.tobytes()


def test_sound_is_stored(client, tmp_path):
    path = sound(tmp_path / "tone.wav")

    @weave.op
    def listen():
        return wave.open(str(path), "rb")

    listen()
    [call] = stored(client)
    with wave.open(str(path), "rb") as original:
        frames = original.readframes(original.getnframes())
    assert call.output.readframes(call.output.getnframes()) == frames


def test_audio_of_bytes(client, tmp_path):
    data = sound(tmp_path / "tone.wav").read_bytes()
    audio = weave.Audio.from_path(str(tmp_path / "tone.wav"))
    read = published(client, {"audio": audio}, "audio")["audio"]
    assert read.data == data


def test_content_of_bytes_keeps_type_and_metadata(client):
    content = weave.Content.from_bytes(b"%PDF-1.4 not much of one", mimetype="application/pdf", metadata={"pages": 1})
    read = published(client, {"content": content}, "pdf")["content"]
    assert read.data == b"%PDF-1.4 not much of one" and read.mimetype == "application/pdf"
    assert read.metadata == {"pages": 1}


def test_content_of_text(client):
    @weave.op
    def page():
        return weave.Content.from_text("<h1>Hëddle</h1>", mimetype="text/html")

    page()
    [call] = stored(client)
    assert call.output.as_string() == "<h1>Hëddle</h1>" and call.output.mimetype == "text/html"


def test_content_of_a_path_and_a_data_url(client, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n")
    content = weave.Content.from_path(path)
    again = weave.Content.from_data_url(content.to_data_url())
    read = published(client, {"one": content, "two": again}, "csv")
    assert read["one"].data == read["two"].data == b"a,b\n1,2\n"
    assert read["one"].filename == "table.csv"


def test_content_of_several_megabytes(client):
    import os

    data = os.urandom(3_000_000)
    read = published(client, {"content": weave.Content.from_bytes(data, mimetype="application/octet-stream")}, "big")
    assert read["content"].data == data


def test_content_is_saved_to_a_file_again(client, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("warp and weft")
    read = published(client, {"file": weave.Content.from_path(path)}, "file")["file"]
    read.save(tmp_path / "copy.txt")
    assert (tmp_path / "copy.txt").read_text() == "warp and weft"


def test_markdown(client):
    read = published(client, {"doc": weave.Markdown("# Title\n\n*text*")}, "markdown")["doc"]
    assert read.markup == "# Title\n\n*text*"


def test_a_view_of_a_call(client):
    @weave.op
    def report():
        weave.set_view("page", "# Report", extension="md")
        return 1

    report()
    [call] = stored(client)
    assert "page" in call.summary["weave"]["views"]


def test_an_image_in_a_dataset(client):
    buffer = io.BytesIO()
    picture().save(buffer, "png")
    dataset = weave.Dataset(name="pictures", rows=[{"n": n, "image": picture((n, n, n))} for n in range(3)])
    read = published(client, dataset, "pictures")
    assert [row["image"].convert("RGB").getpixel((5, 5)) for row in read.rows] == [(0, 0, 0), (1, 1, 1), (2, 2, 2)]
