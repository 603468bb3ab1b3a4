import fc from 'fast-check';
import { type Mail, renderMail, webUrl } from '../../../../../functions/shared/mail/layout.ts';

/** A mail with every kind of block. `text` is used wherever external text can occur. */
function specimen(text: string): Mail {
  return {
    subject: text,
    preheader: text,
    heading: text,
    blocks: [
      {
        kind: 'paragraph',
        content: ['before ', { strong: text }, ' and ', { label: text, url: 'https://a.example/?b=1&c=2' }],
      },
      {
        kind: 'facts',
        rows: [
          [text, 'fact one'],
          ['label two', text],
        ],
      },
      { kind: 'code', code: text },
      { kind: 'heading', content: text },
      { kind: 'note', content: text },
      { kind: 'steps', items: [text, ['step ', { strong: 'two' }]] },
      { kind: 'button', label: text, url: 'https://a.example/button' },
    ],
    footer: [text, [{ label: 'footer link', url: 'https://b.example' }]],
  };
}

interface Node {
  tag: string;
  attributes: Record<string, string>;
  children: (Node | string)[];
}

const voidTags = new Set(['meta', 'br', 'hr', 'img', 'link']);

/** Parses HTML strictly: matching tags, quoted and unique attributes, no stray `<` or `&`. */
function parse(html: string): Node {
  const root: Node = { tag: '#root', attributes: {}, children: [] };
  const open = [root];
  const source = html.replace(/^<!doctype html>/, '').replace(/<!--.*?-->/gs, '');
  for (const [token, tag, rest] of source.matchAll(
    /<(\/?[a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<]*")?)*)\s*>|[^<]+|</g,
  )) {
    const parent = open.at(-1) ?? root;
    if (tag === undefined) {
      const stray = parent.tag !== 'style' && /<|&(?!(amp|lt|gt|quot|#39);)/.test(token);
      if (stray) throw new Error(`Stray character in ${token}`);
      parent.children.push(token);
    } else if (tag.startsWith('/')) {
      if (parent.tag !== tag.slice(1)) throw new Error(`<${tag}> closes <${parent.tag}>`);
      open.pop();
    } else {
      const pairs = [...(rest ?? '').matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, k = '', v = '']) => [
        k,
        v,
      ]);
      const node: Node = { tag, attributes: Object.fromEntries(pairs), children: [] };
      if (Object.keys(node.attributes).length !== pairs.length) throw new Error(`Twice the same in ${token}`);
      parent.children.push(node);
      if (!voidTags.has(tag)) open.push(node);
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.tag}> stays open`);
  return root;
}

function descendants(node: Node): Node[] {
  return [node, ...node.children.flatMap((child) => (typeof child === 'string' ? [] : descendants(child)))];
}

function declarations(css: string): Record<string, string> {
  const pairs = css.split(';').map((declaration) => declaration.replace('!important', '').split(':'));
  return Object.fromEntries(pairs.map(([property = '', value = '']) => [property.trim(), value.trim()]));
}

/** Text with its color and background, as a mail client resolves them. */
interface Shown {
  text: string;
  color: string;
  ground: string;
}

type Resolve = (node: Node) => Record<string, string>;

function shownTexts(node: Node, resolve: Resolve, color = '', ground = ''): Shown[] {
  const style = resolve(node);
  if (style.display === 'none' || node.tag === 'head') return [];
  const own = { color: style.color ?? color, ground: style['background-color'] ?? ground };
  return node.children.flatMap((child) => {
    if (typeof child !== 'string') return shownTexts(child, resolve, own.color, own.ground);
    return child.trim() === '' ? [] : [{ text: child.trim(), ...own }];
  });
}

function channels(hex: string): [number, number, number] {
  const [, r, g, b] = /^#(..)(..)(..)$/.exec(hex) ?? [];
  if (r === undefined || g === undefined || b === undefined) throw new Error(`Not a color: ${hex}`);
  return [Number.parseInt(r, 16) / 255, Number.parseInt(g, 16) / 255, Number.parseInt(b, 16) / 255];
}

/** WCAG 2.2, "relative luminance" and "contrast ratio". */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other]
    .map((hex) => {
      const [r, g, b] = channels(hex).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
      return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
    })
    .sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Inverts the lightness (HSL) and keeps the hue, as mail clients do that darken mails by themselves. */
function inverted(hex: string): string {
  const rgb = channels(hex);
  const shift = 1 - Math.max(...rgb) - Math.min(...rgb);
  return `#${rgb
    .map((c) =>
      Math.round((c + shift) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

const mail = renderMail(specimen('something'));
const document = parse(mail.html);
/** The rules of the dark style sheet. Only `!important` overrides an inline style. */
const darkRules = new Map(
  [...mail.html.matchAll(/\.([a-z]+)\{([^}]*color[^}]*)\}/g)].map(([, name = '', css = '']) => {
    const strong = css.split(';').filter((declaration) => declaration.endsWith('!important'));
    return [name, declarations(strong.join(';'))];
  }),
);
const light: Resolve = (node) => declarations(node.attributes.style ?? '');
const dark: Resolve = (node) => ({ ...light(node), ...darkRules.get(node.attributes.class ?? '') });

describe('every text has the contrast that WCAG AA requires', () => {
  test.each([
    ['in light clients', light, (hex: string) => hex],
    ['in dark clients', dark, (hex: string) => hex],
    ['where the style sheet is dropped and lightness turned around', light, inverted],
  ])('%s', (_, resolve, shownAs) => {
    const texts = shownTexts(document, resolve);
    expect(texts.length).toBeGreaterThan(15);
    for (const { text, color, ground } of texts) {
      const ratio = contrast(shownAs(color), shownAs(ground));
      expect(ratio, `${text}: ${shownAs(color)} on ${shownAs(ground)}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('and the contrast is computed as WCAG defines it', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
    expect(inverted('#0f5c4a')).toBe('#a3f0de');
  });
});

test('the dark scheme replaces every color', () => {
  const colored = descendants(document).filter((node) => /color:#/.test(node.attributes.style ?? ''));
  expect(colored.length).toBeGreaterThan(15);
  for (const node of colored) {
    for (const [property, value] of Object.entries(light(node))) {
      if (value.startsWith('#')) expect(dark(node)[property], `${node.tag} ${property}`).not.toBe(value);
    }
  }
});

describe('the HTML', () => {
  test('declares its language and both color schemes', () => {
    const html = descendants(document).find((node) => node.tag === 'html');
    expect(html?.attributes.lang).toBe('en');
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">');
    expect(mail.html).toContain('<meta name="supported-color-schemes" content="light dark">');
    expect(mail.html).toContain('@media (prefers-color-scheme:dark)');
  });

  test('loads no resource and contains no script', () => {
    const tags = new Set(descendants(document).map((node) => node.tag));
    expect(
      [...tags].filter((tag) => /^(img|link|script|iframe|object|video|audio|form|svg)$/.test(tag)),
    ).toEqual([]);
    expect(mail.html).not.toMatch(/url\(|@import|@font-face|\ssrc=|\son[a-z]+=/i);
  });

  test('marks layout tables as presentation, unlike tables of facts', () => {
    const tables = descendants(document).filter((node) => node.tag === 'table');
    const heads = (node: Node) => descendants(node).filter(({ tag }) => tag === 'th');
    const facts = tables.filter((node) => node.attributes.role !== 'presentation');
    expect(facts).toHaveLength(1);
    expect(facts.flatMap(heads).map((node) => node.attributes.scope)).toEqual(['row', 'row']);
  });

  test('is at most 560 pixels wide, also in Word, with no element wider than a small phone', () => {
    expect(mail.html).toContain('max-width:560px');
    expect(mail.html).toContain('<!--[if mso]><table role="presentation" width="560">');
    for (const node of descendants(document)) {
      const width = /(?:^|;)width:(\d+)px/.exec(node.attributes.style ?? '')?.[1] ?? '0';
      expect(Number(width)).toBeLessThan(296);
    }
  });

  test('keeps its structure, like the text part, for any external text', () => {
    const shape = (html: string) =>
      descendants(parse(html)).map((node) => [node.tag, Object.keys(node.attributes)]);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), hostileText), (text) => {
        const { subject, html, text: plain } = renderMail(specimen(text));
        expect(shape(html)).toEqual(shape(mail.html));
        expect(plain.split('\n')).toHaveLength(mail.text.split('\n').length);
        expect(`${subject}${plain.replaceAll('\n', '')}`).not.toMatch(
          /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
        );
        expect(subject.length).toBeLessThanOrEqual(150);
      }),
      { numRuns: 30 },
    );
  });
});

const hostileText = fc
  .array(
    fc.constantFrom(
      '</td></table>',
      '<script>alert(1)</script>',
      '"',
      "'",
      '>',
      '&amp;',
      '&',
      '\r\n',
      '\u2028',
      '\u202e',
      '\ud800',
      '-->',
      '</style>',
      'x'.repeat(80),
    ),
  )
  .map((pieces) => pieces.join(''));

describe('the text part', () => {
  test('contains the same content as the HTML, in the same order', () => {
    expect(mail.text).toBe(
      [
        'something',
        '',
        'before something and something (https://a.example/?b=1&c=2)',
        '',
        'something: fact one',
        'label two: something',
        '',
        'something',
        '',
        'something',
        '',
        'something',
        '',
        '1. something',
        '2. step two',
        '',
        'something:',
        'https://a.example/button',
        '',
        '---',
        'something',
        'footer link (https://b.example)',
        '',
      ].join('\n'),
    );
  });

  test('contains every word of the HTML', () => {
    const words = shownTexts(document, light).map(({ text }) => text);
    const frame = ['V', 'Vouchsafe'];
    for (const word of words.filter((text) => !frame.includes(text))) expect(mail.text).toContain(word);
  });

  test('is not escaped', () => {
    expect(renderMail(specimen('Tom & "Jerry" <b>')).text).toContain('label two: Tom & "Jerry" <b>\n');
  });
});

describe('a link', () => {
  test.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '//a.example', 'a.example', '', ' '])(
    'to %j is refused',
    (url) => {
      expect(webUrl(url)).toBeUndefined();
      const blocks = [{ kind: 'button' as const, label: 'Open', url }];
      expect(() => renderMail({ subject: '', preheader: '', heading: '', blocks, footer: [] })).toThrow(
        TypeError,
      );
    },
  );

  test('is preserved when it needs no encoding', () => {
    expect(webUrl('https://db-ip.com')).toBe('https://db-ip.com');
    expect(webUrl('http://localhost:3000/devices?x=1#y')).toBe('http://localhost:3000/devices?x=1#y');
  });

  test('is encoded when it contains invalid characters', () => {
    expect(webUrl('https://a.example/\u202Ex y\n')).toBe('https://a.example/%E2%80%AEx%20y');
  });

  test('cannot break out of its attribute', () => {
    const blocks = [{ kind: 'button' as const, label: 'Open', url: 'https://a.example/"><b>' }];
    const { html } = renderMail({ subject: '', preheader: '', heading: '', blocks, footer: [] });
    expect(html).toContain('href="https://a.example/&quot;&gt;&lt;b&gt;"');
  });
});
