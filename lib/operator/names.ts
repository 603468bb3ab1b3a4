/** The words of the command line, from those of the API. */
import { optionNames } from './extras.ts';

/** The verbs of the command line, where they are other ones than those of the API. */
const verbs: Readonly<Record<string, string>> = { get: 'show', upsert: 'put' };

/** The name of a verb: `subscription list` for `listSubscriptions`, `report tax` for `getTaxReport`, `mail redrive-all` for `redriveMails`. */
export function verbName(operationId: string): string {
  const [, report] = /^get(\w+)Report$/.exec(operationId) ?? [];
  if (report !== undefined) return `report ${words(report)}`;
  const [, verb = '', object = ''] = /^([a-z]+)(\w*)$/.exec(operationId) ?? [];
  const isAll = verb !== 'list' && object.endsWith('s');
  return `${singular(words(object))} ${verbs[verb] ?? verb}${isAll ? '-all' : ''}`;
}

/** The name of an option: `billing-cycle` for `billingCycle`, `active` for `isActive`, `id` for the `paymentId` of a payment. */
export function optionNameOf(field: { name: string; type: string }, object: string): string {
  const { name, type } = field;
  const known = optionNames[name];
  if (known !== undefined) return known;
  const option = words(type === 'flag' ? name.replace(/^is(?=[A-Z])/, '') : name.replace(/(?<=.)Id$/, ''));
  if (option === object && option !== words(name)) return 'id';
  return type === 'list' ? singular(option) : option;
}

/** The name of an argument, from the parameter and the part of the path before it: `application` of `applications/{id}`. */
export function argumentName(folder: string, parameter: string): string {
  if (parameter === 'id') return folder.endsWith('s') ? singular(folder) : 'id';
  return optionNames[parameter] ?? words(parameter.replace(/Id$/, ''));
}

/** `billing-cycle` for `billingCycle` and `BillingCycle`. */
const words = (name: string): string =>
  name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');
