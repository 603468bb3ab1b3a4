import { isCreditorReference } from '../../invoices/document/transfer-reference.ts';
import { parseReference } from '../../subscriptions/record/reference-number.ts';

export interface StatedReferences {
  /** In canonical form: with the prefix `SUB` or `INV`, or in a creditor reference whose check digits are right. */
  readonly certain: readonly string[];
  /**
   * Eight characters without a prefix, whose check character is right: one of 32 words is such by chance. Also a number whose
   * check character is cut off: one character completes it.
   */
  readonly possible: readonly string[];
  /** The invoices that are named with their number in the series of a subscription, such as `INV-7K3M9XQP-2`. */
  readonly invoices: readonly StatedInvoice[];
}

/** The n-th invoice of the subscription with a reference. */
interface StatedInvoice {
  readonly reference: string;
  readonly n: number;
}

/** Longer than what any bank transmits. */
const maxText = 4_000;
/** The most references of each kind that are looked up for an entry. Each takes a read. */
const maxReferences = 20;

/** The characters that may stand inside a reference: banks break lines in the middle of a word. */
const gap = '[\\s\\-./:_]{0,3}';
/** The prefix of a reference number, or of an invoice in the series of a subscription: `INV-7K3M9XQP-1`. */
const prefix = `(?:S${gap}U${gap}B|I${gap}N${gap}V)`;
const prefixed = new RegExp(`${prefix}(?=((?:${gap}[0-9A-Z]){8}))`, 'g');
/** A number at the end of a text, without its check character. */
const cutShort = new RegExp(`${prefix}((?:${gap}[0-9A-Z]){7})$`);
const invoice = new RegExp(
  `I${gap}N${gap}V((?:${gap}[0-9A-Z]){8})[\\s\\-./:_]{1,3}(\\d{1,6})(?![0-9A-Z])`,
  'g',
);
const creditorReference = new RegExp(`R${gap}F(?=((?:${gap}[0-9A-Z]){2,24}))`, 'g');
const bare = /(?<![0-9A-Z])[0-9A-Z]{4}[ -]?[0-9A-Z]{4}(?![0-9A-Z])/g;

/**
 * Finds reference numbers anywhere in what a payer wrote, in any case and with spaces or dashes in it.
 *
 * @param structured texts of fields for references, which contain nothing else.
 */
export function statedReferences(text: string, structured: readonly string[] = []): StatedReferences {
  const texts = [text, ...structured].map((one) => one.slice(0, maxText).toUpperCase());
  const certain = new Set<string>();
  const possible = new Set<string>();
  const invoices: StatedInvoice[] = [];
  const add = (to: Set<string>, candidate: string | undefined) => {
    const reference = candidate === undefined ? undefined : parseReference(compact(candidate));
    if (reference !== undefined && to.size < maxReferences) to.add(reference);
  };
  for (const one of texts) {
    for (const [, code] of one.matchAll(prefixed)) add(certain, code);
    for (const [, code = '', n] of one.matchAll(invoice)) {
      const reference = parseReference(compact(code));
      if (reference !== undefined && invoices.length < maxReferences)
        invoices.push({ reference, n: Number(n) });
    }
    for (const [, rest = ''] of one.matchAll(creditorReference)) {
      for (const code of codesOfCreditorReference(compact(rest))) add(certain, code);
    }
    for (const [code] of one.matchAll(bare)) add(possible, code);
    const short = cutShort.exec(one)?.[1];
    if (short !== undefined) for (const last of checkCharacters) add(possible, short + last);
  }
  // A field for references that contains a number and nothing else.
  for (const one of structured)
    add(certain, compact(one.toUpperCase()).length === codeLength ? one : undefined);
  return { certain: [...certain], possible: [...possible].filter((one) => !certain.has(one)), invoices };
}

const checkCharacters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 8;
const compact = (text: string) => text.replaceAll(/[\s\-./:_]/g, '');

/**
 * The codes of a creditor reference: two check digits, and a code with or without `SUB`. In free text, what follows the
 * reference is not separated from it: the check digits decide.
 *
 * @param rest what follows `RF`.
 */
function codesOfCreditorReference(rest: string): string[] {
  const digits = rest.slice(0, 2);
  const body = rest.slice(2);
  const lengths = body.startsWith('SUB') ? [codeLength + 3] : [codeLength];
  return lengths
    .map((length) => body.slice(0, length))
    .filter((candidate) => isCreditorReference(`RF${digits}${candidate}`))
    .map((candidate) => candidate.slice(-codeLength));
}
