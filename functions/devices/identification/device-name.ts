/** Real user agents are shorter. The rest is ignored. */
const maxParsedLength = 1024;

/** Systems, by the start of a token of the first parentheses. The names of phones stand in later tokens. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/^Windows Phone\b/i, 'Windows Phone'],
  [/^(?:Windows|Win(?:32|64)$)/i, 'Windows'],
  [/^(?:iPhone|iPad|iPod|iOS\b)/i, 'iOS'],
  [/^watchOS\b/i, 'watchOS'],
  [/^(?:AppleTV|tvOS\b)/i, 'tvOS'],
  [/^(?:Macintosh|macOS\b|Mac OS X\b)/i, 'macOS'],
  [/^(?:OpenHarmony|HarmonyOS)\b/i, 'HarmonyOS'],
  [/^Android\b/i, 'Android'],
  [/^Tizen\b/i, 'Tizen'],
  [/^web[O0]S\b/i, 'webOS'],
  [/^Sailfish\b/i, 'Sailfish OS'],
  [/^CrOS\b/i, 'ChromeOS'],
  [/^(?:BB10|BlackBerry|PlayBook)\b/i, 'BlackBerry'],
  [/^PlayStation\b/i, 'PlayStation'],
  [/^Nintendo\b/i, 'Nintendo'],
  [/^FreeBSD\b/i, 'FreeBSD'],
  [/^OpenBSD\b/i, 'OpenBSD'],
  [/^NetBSD\b/i, 'NetBSD'],
  [/^DragonFly\b/i, 'DragonFly'],
  [/^SunOS\b/i, 'Solaris'],
  [/^Linux\b/i, 'Linux'],
];
/** A later token that makes the system of an earlier one exact. */
const variants = new Map([
  ['Linux', /^(?:Android|Tizen|web[O0]S|Sailfish)\b/i],
  ['Android', /^HarmonyOS$/i],
]);

/** Products outside of parentheses. Browsers copy the products of later lines, so the first line counts. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/^FB(?:AN|_IAB)$/i, 'Facebook'],
  [/^Instagram$/i, 'Instagram'],
  [/^MicroMessenger$/i, 'WeChat'],
  [/^GSA$/i, 'Google'],
  [/^(?:Edge?|EdgA|EdgiOS)$/i, 'Edge'],
  [/^(?:Opera|OPR|OPT|OPiOS)$/i, 'Opera'],
  [/^Vivaldi$/i, 'Vivaldi'],
  [/^YaBrowser$/i, 'Yandex Browser'],
  [/^SamsungBrowser$/i, 'Samsung Internet'],
  [/^Whale$/i, 'Whale'],
  [/^(?:Ddg|DuckDuckGo)$/i, 'DuckDuckGo'],
  [/^UCBrowser$/i, 'UC Browser'],
  [/^MiuiBrowser$/i, 'MIUI Browser'],
  [/^HuaweiBrowser$/i, 'Huawei Browser'],
  [/^Silk$/i, 'Silk'],
  [/^(?:Focus|Klar)$/i, 'Firefox Focus'],
  [/^SeaMonkey$/i, 'SeaMonkey'],
  [/^PaleMoon$/i, 'Pale Moon'],
  [/^Waterfox$/i, 'Waterfox'],
  [/^Falkon$/i, 'Falkon'],
  [/^Epiphany$/i, 'Epiphany'],
  [/^(?:Firefox|FxiOS)$/i, 'Firefox'],
  [/^Electron$/i, 'Electron'],
  [/^HeadlessChrome$/i, 'Headless Chrome'],
  [/^Chromium$/i, 'Chromium'],
  [/^(?:Chrome|CriOS)$/i, 'Chrome'],
];

/**
 * A product name (RFC 9110 section 10.1.5) such as curl, Go-http-client or 1Password.
 *
 * It is the only text of a caller that is displayed, in the list of devices and in the New Device Login mail. It
 * therefore excludes dots, spaces and all but single digits at either end: no link, phone number or sentence fits.
 */
const product = String.raw`(?=[\w-]{1,24}[/ ])\d?[A-Za-z]+(?:[-_][A-Za-z]+){0,2}\d?`;
const leadingProduct = new RegExp(String.raw`^(${product})[/ ]v?\d`);
/** Electron puts the name of the app before that of Chrome. */
const electronApp = new RegExp(String.raw`Gecko\) (${product})/\S{1,40} Chrome/`);

/** A program that parentheses name, such as `(compatible; Googlebot/2.1)`. */
const compatibleProgram = new RegExp(String.raw`\bcompatible; (${product})/v?\d`, 'i');
/** A bot in parentheses after those of the system: a phone may be named as one. */
const laterBot = new RegExp(String.raw`^\((${product})(?<=bot)/v?\d`, 'i');

/** Product names without meaning: the one of all browsers, and the runtime of Android apps. */
const genericProducts = /^(?:Mozilla|Dalvik)$/i;

/**
 * A device name that its user recognizes, such as `Chrome on Windows` with `Windows`, or `Safari on iPhone`
 * with `iOS 17.5`.
 *
 * Both are printable ASCII of at most 60 characters. Nothing is guessed: Brave identifies as Chrome, an iPad
 * that requests desktop pages identifies as a Mac, and they are named accordingly. Never throws.
 */
export function describeDevice(userAgent: string | undefined): { deviceName: string; os: string } {
  const ua = (userAgent ?? '').slice(0, maxParsedLength).trim();
  if (ua === '') return { deviceName: 'Unknown device', os: 'Unknown' };
  // The name of a phone may contain parentheses.
  const comments = ua.match(/\((?:[^()]|\([^()]*\))*\)?/g) ?? [];
  const outside = comments.reduce((text, comment) => text.replace(comment, ' '), ua);
  const products = Array.from(
    outside.matchAll(/(?<![^\s[/])([\w-]+)(?:\/| (?=\d))/g),
    ([, name = '']) => name,
  );
  const tokens = (comments[0] ?? '')
    .replace(/^\(|\)$/g, '')
    .split(';')
    .map((token) => token.trim());
  const system = systemName(tokens, products);
  const browser = browserName(ua, system, comments, products);
  const hardware = (system === 'iOS' && appleHardware(tokens)) || system;
  return {
    deviceName: hardware ? `${browser ?? 'Unknown browser'} on ${hardware}` : (browser ?? 'Unknown device'),
    os: hardware ? versioned(ua, tokens, hardware === 'iPad' ? 'iPadOS' : system) : 'Unknown',
  };
}

function appleHardware(tokens: readonly string[]): string | undefined {
  return ['iPhone', 'iPad', 'iPod'].find((name) =>
    tokens.some((token) => token.toLowerCase().startsWith(name.toLowerCase())),
  );
}

function systemName(tokens: readonly string[], products: readonly string[]): string {
  // KaiOS names only the phone in its parentheses.
  if (products.some((name) => /^KAIOS$/i.test(name))) return 'KaiOS';
  let system = '';
  for (const token of tokens) {
    if (system !== '' && !variants.get(system)?.test(token)) continue;
    system = systems.find(([pattern]) => pattern.test(token))?.[1] ?? system;
  }
  if (system === 'Windows' && tokens.some((token) => /^Xbox$/i.test(token))) return 'Xbox';
  // iPads that request desktop pages send Macintosh, but the browsers for iOS can be recognized.
  if (system === 'macOS' && products.some((name) => /^(?:Cr|Fx|Edg)iOS$/i.test(name))) return 'iOS';
  return system;
}

function browserName(
  ua: string,
  system: string,
  comments: readonly string[],
  products: readonly string[],
): string | undefined {
  const has = (pattern: RegExp) => products.some((name) => pattern.test(name));
  const pattern = has(/^Electron$/i) ? electronApp : leadingProduct;
  // Apps of URLSession encode the spaces of their names.
  const productName = pattern.exec(ua.replaceAll('%20', '_'))?.[1];
  if (productName !== undefined && !genericProducts.test(productName)) return productName;
  // All browsers start with Mozilla/.
  if (!/^Mozilla\//i.test(ua)) return undefined;
  const bots = comments.slice(1).map((comment) => laterBot.exec(comment)?.[1]);
  const program = compatibleProgram.exec(comments.join(' '))?.[1] ?? bots.find((name) => name !== undefined);
  if (program !== undefined) return program === 'bingbot' ? 'Bingbot' : program;
  if (/[(;] ?(?:MSIE \d|Trident\/)/i.test(comments[0] ?? '')) return 'Internet Explorer';
  const known = browsers.find(([name]) => has(name))?.[1];
  if (known !== undefined) return known;
  // Anything built on WebKit, such as a web view, has the product Safari.
  const isSafari = has(/^Version$/i) && has(/^Safari$/i) && (system === 'iOS' || system === 'macOS');
  return isSafari ? 'Safari' : undefined;
}

/**
 * The system with its version, if the version is reliable.
 *
 * Browsers freeze the version to reduce tracking: all report Windows as `NT 10.0` and macOS as `10_15_7`,
 * those based on Chromium report Android as `10` (https://www.chromium.org/updates/ua-reduction/), and iOS
 * stays at the last version before 26, `18_6` or `18_7`
 * (https://webkit.org/blog/17333/webkit-features-in-safari-26-0/#update-to-ua-string). A wrong version in an
 * alert is worse than none.
 */
function versioned(ua: string, tokens: readonly string[], system: string): string {
  if (system === 'Android') {
    const stated = tokens
      .map((token) => /^Android (\d{1,2})\b/i.exec(token)?.[1])
      .find((text) => text !== undefined);
    if (stated === undefined) return system;
    const major = androidVersion(Number(stated));
    return major === 10 ? system : `${system} ${major}`;
  }
  if (system === 'iOS' || system === 'iPadOS') {
    const [, major, minor] = /OS (\d{1,2})[._](\d{1,2})/i.exec(ua) ?? [];
    if (major === undefined || minor === undefined) return system;
    // The version of Safari is that of the system. Other browsers copy the major version.
    const safari = /\bVersion\/(\d{1,2})\./i.exec(ua)?.[1];
    if (safari !== undefined && Number(safari) > Number(major)) return `${system} ${safari}`;
    const frozen = major === '18' && Number(minor) >= 6 && safari === undefined;
    return frozen ? system : `${system} ${major}.${minor}`;
  }
  return system;
}

/** Some apps send the API level: 28 is Android 9, and both 31 and 32 are Android 12. */
function androidVersion(stated: number): number {
  if (stated < 28) return stated;
  return stated < 32 ? stated - 19 : stated - 20;
}
