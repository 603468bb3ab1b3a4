import { getParser } from 'bowser';

/** Real user agents are shorter. The rest is ignored. */
const maxParsedLength = 1024;

/** The parser's names, and the names that people know. */
const displayNames = new Map([
  ['Microsoft Edge', 'Edge'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['NAVER Whale Browser', 'Whale'],
  ['BingCrawler', 'Bingbot'],
  ['Focus', 'Firefox Focus'],
  ['Chrome OS', 'ChromeOS'],
]);

/**
 * A product name (RFC 9110 section 10.1.5) such as curl, Go-http-client or 1Password.
 *
 * It is the only text of a caller that is displayed, in the list of devices and in the New Device Login mail.
 * It therefore excludes dots, spaces and all but single digits at either end: no link, phone number or
 * sentence fits.
 */
const product = String.raw`(?=[\w-]{1,24}[/ ])\d?[A-Za-z]+(?:[-_][A-Za-z]+){0,2}\d?`;
const leadingProduct = new RegExp(String.raw`^(${product})[/ ]v?\d`);
/** Electron puts the name of the app before that of Chrome. */
const electronApp = new RegExp(String.raw`Gecko\) (${product})/\S{1,40} Chrome/`);

/** Product names without meaning: the one of all browsers, and the runtime of Android apps. */
const genericProducts = new Set(['Mozilla', 'Dalvik']);

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
  // `true` defers parsing: only the requested properties are parsed.
  const parser = getParser(ua, true);
  const system = systemName(ua, parser.getOSName());
  const browser = browserName(ua, system, () => parser.getBrowserName());
  const hardware = (system === 'iOS' && /\b(?:iPhone|iPad|iPod)\b/.exec(ua)?.[0]) || system;
  return {
    deviceName: hardware ? `${browser ?? 'Unknown browser'} on ${hardware}` : (browser ?? 'Unknown device'),
    os: hardware ? versioned(ua, hardware === 'iPad' ? 'iPadOS' : system) : 'Unknown',
  };
}

/** The operating system, or an empty string. */
function systemName(ua: string, parsed: string): string {
  // iPads that request desktop pages send Macintosh, but the browsers for iOS can be recognized.
  if (parsed === 'macOS' && /\b(?:Cr|Fx|Edg)iOS\//.test(ua)) return 'iOS';
  if (parsed === '' && /\biOS \d/.test(ua)) return 'iOS';
  return displayNames.get(parsed) ?? parsed;
}

/** The browser or program, or undefined. */
function browserName(ua: string, system: string, parsedName: () => string): string | undefined {
  const pattern = /\bElectron\//.test(ua) ? electronApp : leadingProduct;
  const productName = pattern.exec(ua)?.[1];
  if (productName !== undefined && !genericProducts.has(productName)) return productName;
  // All browsers start with Mozilla/. For other texts the parser would return the text up to a slash.
  if (!ua.startsWith('Mozilla/')) return undefined;
  const name = parsedName();
  if (name === '' || name.startsWith('Mozilla')) return undefined;
  // The parser's guess for any Android app and for anything built on WebKit, such as a web view.
  if (name === 'Android Browser') return undefined;
  const isSafari = /\bVersion\/\d.*\bSafari\//.test(ua) && (system === 'iOS' || system === 'macOS');
  if (name === 'Safari' && !isSafari) return undefined;
  return displayNames.get(name) ?? name;
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
function versioned(ua: string, system: string): string {
  if (system === 'Android') {
    const major = /\bAndroid (\d{1,2})\b/.exec(ua)?.[1];
    return major === undefined || major === '10' ? system : `${system} ${major}`;
  }
  if (system === 'iOS' || system === 'iPadOS') {
    const [, major, minor] = /OS (\d{1,2})[._](\d{1,2})/.exec(ua) ?? [];
    if (major === undefined || minor === undefined) return system;
    // The version of Safari is that of the system. Other browsers copy the major version.
    const safari = /\bVersion\/(\d{1,2})\./.exec(ua)?.[1];
    if (safari !== undefined && Number(safari) > Number(major)) return `${system} ${safari}`;
    const frozen = major === '18' && Number(minor) >= 6 && safari === undefined;
    return frozen ? system : `${system} ${major}.${minor}`;
  }
  return system;
}
