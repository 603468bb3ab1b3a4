import fc from 'fast-check';
import type { Seeded } from '../support/parallel/seeded.ts';

/** Texts that have broken other programs. */
const hostileTexts = [
  ...['', ' ', '\t', '0', '-1', '1e999', 'NaN', 'null', 'undefined', 'true', '[]', '{}'],
  // Control characters, lone surrogates, line separators, direction, byte order mark.
  ...['\u0000', 'a\u0000b', '\u0007', '\u007f', '\ud800', 'a\udfff', '\udc00\ud800'],
  ...['\u2028', '\u202e', '\ufeff'],
  // The same text in two normal forms, and letters whose case changes their length.
  ...['\u00e9', 'e\u0301', '\ufb00', '\u0130', '\u00df', '\u1e9e', '\u212b'],
  '\ud83d\udc69\u200d\ud83d\ude80',
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '$ref', '#', 'pk', 'a#b', 'SHARE#x'],
  ...['../../etc/passwd', '..%2f', '%', '%00', '%zz', '%c0%af', '/', '\\', ';', '?', '&a=b', '+'],
  ...['"><script>alert(1)</script>', "' OR 1=1 --", '{{7*7}}', '\r\nset-cookie: a=b', '%0d%0aset-cookie:a'],
  ...[
    'javascript:alert(1)',
    'http://[::1',
    'https://a@b:c',
    '//evil.example',
    'data:text/html,x',
    'file:///',
  ],
  ...['a@b', 'a@b.c\n', '"a b"@example.com', 'a@xn--80ak6aa92e.com', 'A@EXAMPLE.COM'],
  `${'a'.repeat(65)}@b.cc`,
  ...['2020-01-01', '9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z', '2024-02-30T00:00:00Z'],
  ...['AAAA', 'AAA=', 'A===', 'AA==\n', '-_-_', 'a'.repeat(300), 'x'.repeat(5_000)],
];

const hostileNumbers = [
  ...[0, -0, -1, 1, 0.1, 1.005, 1e-7, 99_999_999_999],
  ...[2 ** 31, 2 ** 53, 2 ** 64, 1e21, 1e308],
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** An object with own fields that name parts of the prototype. */
export function polluted(value: object): object {
  return JSON.parse(
    `{"__proto__":{"isAdmin":true,"status":"active"},"constructor":{"prototype":{"a":1}},${JSON.stringify(value).slice(1)}`.replace(
      /,\}$/,
      '}',
    ),
  );
}

/** Draws hostile values, the same for the same seed. */
export class HostileValues {
  readonly #random: Seeded;
  readonly #texts: readonly string[];
  readonly #values: readonly unknown[];

  constructor(random: Seeded, seed: number) {
    this.#random = random;
    const options = { seed, numRuns: 100 };
    // Any code point, lone surrogates included.
    const codePoints = fc.array(fc.nat({ max: 0x10ffff }), { maxLength: 20 });
    const anyText = codePoints.map((points) => String.fromCodePoint(...points));
    this.#texts = fc.sample(fc.oneof(anyText, fc.string()), options);
    this.#values = fc.sample(fc.jsonValue({ maxDepth: 3 }), options);
  }

  text(): string {
    const { below, draws } = { below: this.#random.below(20), draws: this.#random };
    if (below === 0) return 'x'.repeat(draws.pick([256, 257, 2_000, 20_000, 70_000]));
    return draws.pick(below < 13 ? hostileTexts : this.#texts);
  }

  /** A value of any type that JSON has. */
  value(): unknown {
    switch (this.#random.below(8)) {
      case 0:
        return null;
      case 1:
        return this.#random.pick([true, false]);
      case 2:
        return this.#random.pick(hostileNumbers);
      case 3:
        return this.#random.pick([[], [[]], [null], {}, { a: 1 }, nested(60), Array(300).fill('a')]);
      case 4:
        return this.#random.pick(this.#values);
      default:
        return this.text();
    }
  }
}
