import { getParser } from 'bowser';

/** A real user agent is shorter; what comes after is not looked at. */
const maxLookedAt = 1024;

/** Where the parser's name is not the one that people know. */
const shownAs = new Map([
  ['Microsoft Edge', 'Edge'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['NAVER Whale Browser', 'Whale'],
  ['BingCrawler', 'Bingbot'],
  ['Focus', 'Firefox Focus'],
  ['Chrome OS', 'ChromeOS'],
]);

/**
 * A product's name (RFC 9110 section 10.1.5), of the sort that programs have: curl, Go-http-client, 1Password.
 *
 * It is the only text of a caller that is ever shown, in the list of devices and in the mail that warns of a new one.
 * So it has no dot and no space and next to no digit: no link, no telephone number and no sentence fits in.
 */
const product = String.raw`(?=[\w-]{1,24}[/ ])\d?[A-Za-z]+(?:[-_][A-Za-z]+){0,2}\d?`;
const leadingProduct = new RegExp(String.raw`^(${product})[/ ]v?\d`);
/** Electron puts the name of the app before Chrome's. */
const electronApp = new RegExp(String.raw`Gecko\) (${product})/\S{1,40} Chrome/`);

/** What all browsers pretend to be, and what Android's programs run in; not what they are. */
const meaningless = new Set(['Mozilla', 'Dalvik']);

/**
 * What a user recognises a device by: `Chrome on Windows` and `Windows`, `Safari on iPhone` and `iOS 17.5`.
 *
 * Both are printable ASCII, at most 60 characters. Says less rather than guess: Brave calls itself Chrome, an iPad that
 * asks for desktop pages calls itself a Mac, and so they are named. Never throws.
 */
export function describeDevice(userAgent: string | undefined): { deviceName: string; os: string } {
  const ua = (userAgent ?? '').slice(0, maxLookedAt).trim();
  if (ua === '') return { deviceName: 'Unknown device', os: 'Unknown' };
  // Parses only what is asked for, when it is asked for.
  const parser = getParser(ua, true);
  const system = systemName(ua, parser.getOSName());
  const client = clientName(ua, system, () => parser.getBrowserName());
  const hardware = (system === 'iOS' && /\b(?:iPhone|iPad|iPod)\b/.exec(ua)?.[0]) || system;
  return {
    deviceName: hardware ? `${client ?? 'Unknown browser'} on ${hardware}` : (client ?? 'Unknown device'),
    os: hardware ? versioned(ua, hardware === 'iPad' ? 'iPadOS' : system) : 'Unknown',
  };
}

/** The operating system, or nothing. */
function systemName(ua: string, parsed: string): string {
  // iPads ask for desktop pages and then say Macintosh; the browsers made for iOS give themselves away.
  if (parsed === 'macOS' && /\b(?:Cr|Fx|Edg)iOS\//.test(ua)) return 'iOS';
  if (parsed === '' && /\biOS \d/.test(ua)) return 'iOS';
  return shownAs.get(parsed) ?? parsed;
}

/** The browser or program, or undefined. */
function clientName(ua: string, system: string, parsedName: () => string): string | undefined {
  const named = /\bElectron\//.test(ua) ? electronApp : leadingProduct;
  const own = named.exec(ua)?.[1];
  if (own !== undefined && !meaningless.has(own)) return own;
  // All browsers begin so. Of anything else the parser would repeat the text up to a slash.
  if (!ua.startsWith('Mozilla/')) return undefined;
  const name = parsedName();
  if (name === '' || name.startsWith('Mozilla')) return undefined;
  // The parser's guesses for whatever runs on Android or is built on WebKit, such as a page inside an app.
  if (name === 'Android Browser') return undefined;
  const isSafari = /\bVersion\/\d.*\bSafari\//.test(ua) && (system === 'iOS' || system === 'macOS');
  if (name === 'Safari' && !isSafari) return undefined;
  return shownAs.get(name) ?? name;
}

/**
 * The system with its version, where the version is true.
 *
 * Browsers have stopped telling it, so that people are harder to track: Windows stays `NT 10.0` and macOS `10_15_7` in
 * all of them, Android `10` in those built on Chromium (https://www.chromium.org/updates/ua-reduction/), and iOS stays
 * at the last version before 26, `18_6` or `18_7`
 * (https://webkit.org/blog/17333/webkit-features-in-safari-26-0/#update-to-ua-string).
 * A wrong version in a warning is worse than none.
 */
function versioned(ua: string, system: string): string {
  if (system === 'Android') {
    const major = /\bAndroid (\d{1,2})\b/.exec(ua)?.[1];
    return major === undefined || major === '10' ? system : `${system} ${major}`;
  }
  if (system === 'iOS' || system === 'iPadOS') {
    const [, major, minor] = /OS (\d{1,2})[._](\d{1,2})/.exec(ua) ?? [];
    if (major === undefined || minor === undefined) return system;
    // Safari comes with the system and counts as it does; others copy the first number.
    const safari = /\bVersion\/(\d{1,2})\./.exec(ua)?.[1];
    if (safari !== undefined && Number(safari) > Number(major)) return `${system} ${safari}`;
    const frozen = major === '18' && Number(minor) >= 6 && safari === undefined;
    return frozen ? system : `${system} ${major}.${minor}`;
  }
  return system;
}
