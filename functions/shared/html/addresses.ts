/** Web addresses as people judge them who decide whether to trust one. */

/**
 * A text in which the host of each web address can be judged: one with other characters than ASCII, or with percent-encoding, has
 * the host that a browser connects to before it. Letters of two scripts can look the same, and a character can look like a slash:
 * https://www.unicode.org/reports/tr36/#international_domain_names
 */
export function shownAddresses(text: string): string {
  return text.replaceAll(/https?:\/\/([^\s/?#"\\]+)/giu, (address, authority: string) => {
    if (/^[\w.:[\]-]+$/.test(authority)) return address;
    const host = URL.parse(`https://${authority}`)?.host;
    return host === undefined ? address : `[${host}] ${address}`;
  });
}
