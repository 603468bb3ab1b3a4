import type { Registered } from '../../functions/routes.ts';

/** The verbs that the names of routes have, where the API uses another one. */
const verbs: Readonly<Record<string, string>> = { read: 'get', remove: 'delete' };

/**
 * The id of a route's operation: a verb and its object, in camel case. Without one of its own, it follows from the name of the route:
 * `listCreditNotes` for `credit-note-list`, `createPlan` for `create` of the service `plans`. A page is called one:
 * `showCheckoutPage` for `checkout-show`, `submitConsoleReviewPage` for `review-submit` of the console.
 */
export function operationIdOf({ service, name, route }: Omit<Registered, 'id'>): string {
  return route.operationId ?? derivedId({ service, name });
}

/** The id that follows from the name of a route. */
export function derivedId({ service, name }: Pick<Registered, 'service' | 'name'>): string {
  const words = name.split('-');
  const verb = words.pop() ?? '';
  const object = inCamelCase(words.length > 0 ? words : service.replace(/s$/, '').split('-'));
  if (verb === 'show' || verb === 'submit') {
    const ofConsole = words.length > 0 && service.startsWith('console') ? 'Console' : '';
    return `${verb}${ofConsole}${object}Page`;
  }
  return `${verbs[verb] ?? verb}${verb === 'list' ? plural(object) : object}`;
}

/** The name of the schema of a type of event: `InvoicePaidEvent`. */
export const eventNameOf = (type: string): string => `${inCamelCase(type.split(/[._]/))}Event`;

export const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const inCamelCase = (words: readonly string[]) => words.map(capitalized).join('');

const plural = (word: string): string => `${word.replace(/(?<=[^aeiou])y$/, 'ie')}s`;
