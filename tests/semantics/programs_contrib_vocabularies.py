"""tf.contrib.learn.preprocessing: VocabularyProcessor, CategoricalVocabulary, ByteProcessor."""

from harness import attempt, program, signature_text

TEXTS = ["a b c don't", "b b c e x y z", "a.b, c_d \u00fc9 X!", "XMLReader readXML HTTPServer It's-fine 3.5"]


def room(tf):
    return tf.contrib.learn.preprocessing


@program
def signatures(tf, np):
    P, found = room(tf), []
    for name in ("VocabularyProcessor", "CategoricalVocabulary"):
        found.append([name, signature_text(getattr(P, name))])
        for method in sorted(m for m in vars(getattr(P, name)) if not m.startswith("_")):
            found.append([method, signature_text(getattr(getattr(P, name), method))])
    return found


def words(vocabulary):
    return [[vocabulary.reverse(i) for i in range(len(vocabulary))], sorted(vocabulary._mapping.items(), key=lambda item: item[1])]


@program
def processors(tf, np):
    P, found = room(tf), []
    for length, frequency, texts in ((4, 1, TEXTS), (3, 0, TEXTS), (9, 2, TEXTS), (3, 0, []), (2, 5, ["a a b"])):
        processor = P.VocabularyProcessor(length, min_frequency=frequency)
        found.append(list(processor.fit_transform(texts)))
        found += [words(processor.vocabulary_), len(processor.vocabulary_), processor.max_document_length, processor.min_frequency]
        later = list(processor.transform(["q a", "new x b"]))
        found += [later, list(processor.reverse(later)), len(processor.vocabulary_)]
        processor.vocabulary_.freeze(False)
        found += [processor.vocabulary_.get("fresh"), list(processor.transform(["fresh fish"])), words(processor.vocabulary_)]
    again = P.VocabularyProcessor(2)
    found += [again.fit(["a"]) is again, list(again.fit_transform(["b a"])), len(again.vocabulary_)]
    split = P.VocabularyProcessor(3, tokenizer_fn=lambda texts: [text.split("|") for text in texts])
    found += [list(split.fit_transform(["a|b c"])), words(split.vocabulary_)]
    shared = P.VocabularyProcessor(2, 0, again.vocabulary_)
    found += [list(shared.transform(["a c"])), attempt(lambda: list(again.transform([3]))).classes]
    return found


@program
def vocabularies(tf, np):
    V = room(tf).CategoricalVocabulary
    one = V(unknown_token="U", support_reverse=False)
    found = [len(one), attempt(lambda: one.reverse(0)), one.add("U", 2), one.add("a", 5), one.add("", 1), one.get(""), one.get("n")]
    found += [one.get("zero"), one.trim(1), one.get("a"), len(one)]
    for least, most in ((0, -1), (1, -1), (1, 8), (2, 10), (1, 2), (1, 9), (100, -1)):
        two = V()
        for word, count in (("b", 2), ("a", 2), ("c", 9), ("d", 1), ("e", 5)):
            two.add(word, count)
        two.trim(least, most)
        found.append(words(two))
    two.freeze()
    return [*found, two.add("q"), two.get("q"), len(two), two.freeze(False), two.get("q"), attempt(lambda: two.reverse(99)), two.reverse(-1)]


@program
def texts_as_bytes(tf, np):
    B = room(tf).ByteProcessor
    five, eight = B(5), B(8)
    return [
        list(five.transform(["abcdefg", "\u00e9", b"\x00\xff", ""])), list(eight.fit_transform(["x"])), five.fit("a"),
        list(eight.reverse(eight.transform([b"ab", "\u00e9", "a\0b", "\0\0c\0"]))), list(eight.reverse([np.array([65, 200, 66, 0])])),
        attempt(lambda: list(eight.reverse([[1, 2]]))), attempt(lambda: list(five.transform([3]))),
    ]  # fmt: skip
