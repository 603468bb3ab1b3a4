/**
 * Which of the media types on offer a caller wants most, by `Accept`; the first one when the header is missing, says
 * nothing that can be understood, or asks for something else altogether: an answer in another form serves better than
 * none (RFC 9110 section 12.4.1 leaves that to the server).
 *
 * The most specific range that matches a type gives its weight; of equal weights the first on offer wins.
 * https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function preferredType<T extends string>(accept: string | undefined, offers: readonly [T, ...T[]]): T {
  const ranges = (accept ?? '').split(',').map(rangeOf);
  const weighed = offers.map((offer) => ({ offer, weight: weightOf(offer, ranges) }));
  return weighed.reduce((best, one) => (one.weight > best.weight ? one : best), {
    offer: offers[0],
    weight: 0,
  }).offer;
}

interface Range {
  type: string;
  weight: number;
}

/** `text/html;level=1;q=0.7`; parameters other than the weight say nothing of types that have none. */
function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const [, given] = parameters.map((one) => /^q=(.*)$/.exec(one)).find((match) => match !== null) ?? [];
  if (given === undefined) return { type, weight: 1 };
  // RFC 9110 section 12.4.2. What is no weight counts as not wanted.
  return { type, weight: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given) : 0 };
}

function weightOf(offer: string, ranges: readonly Range[]): number {
  const [kind] = offer.split('/', 1);
  const matching = [offer, `${kind}/*`, '*/*']
    .map((type) => ranges.filter((range) => range.type === type))
    .find((found) => found.length > 0);
  return Math.max(0, ...(matching ?? []).map(({ weight }) => weight));
}
