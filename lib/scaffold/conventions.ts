import { registeredRoutes, type services } from '../../functions/routes.ts';
import type { Auth } from '../../functions/shared/contract/callers.ts';

export type Service = keyof typeof services;

/** How the tests call endpoints with one kind of caller. */
interface Sample {
  /** The file in `test/support/samples` whose imports the sample needs; by default that of the service. */
  readonly file?: string;
  /** A sample request as source text, around `FIELDS`. */
  readonly text: string;
}

/** By the kind of caller. An endpoint of another kind is begun as one that anyone calls. */
const samples = {
  none: { text: '() => ({ FIELDS })' },
  apiKey: {
    file: 'subscriptions.ts',
    text: 'async () => ({ headers: (await newSeller()).headers, FIELDS })',
  },
  seller: { file: 'finance.ts', text: 'async () => ({ headers: (await newSeller()).headers, FIELDS })' },
  application: { file: 'webhooks.ts', text: 'async () => ({ headers: asOwner(await newOwner()), FIELDS })' },
  links: { file: 'links.ts', text: 'async () => ({ headers: asApplication(await newParties()), FIELDS })' },
  operator: { file: 'operator.ts', text: '() => asOperator({ FIELDS })' },
  proof: {
    file: 'requests.ts',
    text: `async () => {
      const account = await trustedAccount();
      return { headers: account.proof, FIELDS };
    }`,
  },
} satisfies Partial<Record<Auth, Sample>>;

const isKnown = (auth: Auth): auth is keyof typeof samples => Object.hasOwn(samples, auth);

/** The common parts of the endpoints of a service: a new one is like most that have the same kind of caller. */
export function conventionsOf(service: Service) {
  const all = registeredRoutes();
  const auth =
    mostCommon(
      all
        .filter((one) => one.service === service)
        .map((one) => one.route.auth)
        .filter(isKnown),
    ) ?? 'none';
  const alike = all.filter(({ route }) => route.auth === auth);
  const codes = alike.map(({ route: { errors } }) => [...(errors.also ?? []), errors.limited]);
  const sample: Sample = samples[auth];
  return {
    auth,
    operatorScope: mostCommon(
      alike.flatMap((one) => (one.service === service ? [one.route.operatorScope] : [])),
    ),
    invalid: mostCommon(alike.flatMap(({ route }) => route.errors.invalid ?? [])),
    limited: mostCommon(alike.flatMap(({ route }) => route.errors.limited ?? [])),
    failed: mostCommon(alike.map(({ route }) => route.errors.failed)),
    /** Refusals of the authentication: those that all declare. */
    refusals: codes[0]?.filter((code) => code && codes.every((others) => others.includes(code))) ?? [],
    sample,
  };
}

/** Of two that are as common, the one that comes first. */
export function mostCommon<T>(values: readonly T[]): T | undefined {
  const groups = [...Map.groupBy(values, (value) => value).values()];
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0];
}
