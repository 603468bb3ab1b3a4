import type { Registered } from '../../functions/routes.ts';
import type { RegisteredTimer } from '../../functions/timers.ts';
import type { StageSettings } from './stages.ts';

/** A function of a service: of a route or of a timer, under the name that it is deployed as. */
export type DeployedFunction =
  | { readonly kind: 'api'; readonly entry: Registered; readonly functionName: string }
  | { readonly kind: 'timer'; readonly entry: RegisteredTimer; readonly functionName: string };

/** The functions of a service that share one template. */
export interface ServicePart {
  /** `subscriptions`; from the second part on with its number, `subscriptions-2`. */
  readonly id: string;
  readonly functions: readonly DeployedFunction[];
}

/**
 * With three resources for a function, and five for a scheduled one, a part stays under 200 resources; the roles and
 * environments of the largest functions keep it under 400 KB.
 */
const functionsPerPart = 45;
/** A function that is deployed gradually has three more resources: a version, an alias and a deployment group. */
const gradualFunctionsPerPart = 30;
/** https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html */
const maxNameLength = 64;

/** Every function of the API, and no other function, has a name that starts with this. */
export const apiFunctionPrefix = ({ name }: StageSettings): string => `vouchsafe-${name}-api-`;

/**
 * Splits the functions of each service into parts, in the order of their declaration. Timers come first, so that the
 * state machine and its tasks are in one part.
 *
 * The name of a function contains its part. A function that moves to another part because one before it was added or
 * removed therefore gets another name: the new function exists next to the old one until API Gateway invokes it.
 *
 * @throws naming the function whose name is longer than Lambda allows, or is the name of another function too.
 */
export function serviceParts(
  stage: StageSettings,
  registry: readonly Registered[],
  timers: readonly RegisteredTimer[],
): ServicePart[] {
  const size = stage.gradualDeployment === undefined ? functionsPerPart : gradualFunctionsPerPart;
  const services = new Set([...registry, ...timers].map(({ service }) => service));
  const parts = [...services].flatMap((service) => {
    const entries = [
      ...timers.map((entry) => ({ kind: 'timer', entry }) as const),
      ...registry.map((entry) => ({ kind: 'api', entry }) as const),
    ].filter(({ entry }) => entry.service === service);
    const count = Math.ceil(entries.length / size);
    return Array.from({ length: count }, (_, i) => {
      const id = i === 0 ? service : `${service}-${i + 1}`;
      const functions = entries.slice(i * size, (i + 1) * size).map((deployed) => ({
        ...deployed,
        functionName: functionName(stage, deployed.kind, id, deployed.entry.name),
      }));
      return { id, functions };
    });
  });
  refuseRepeatedNames(parts);
  return parts;
}

/** Two stacks with a function of one name synthesize, and fail only when they are deployed. */
function refuseRepeatedNames(parts: readonly ServicePart[]): void {
  const names = parts.flatMap(({ functions }) => functions.map(({ functionName }) => functionName));
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new Error(`Two functions have the name ${repeated}: rename one of them`);
}

function functionName(stage: StageSettings, kind: 'api' | 'timer', part: string, name: string): string {
  const full = `vouchsafe-${stage.name}-${kind}-${part}-${name}`;
  if (full.length > maxNameLength) {
    throw new Error(
      `The function name ${full} has ${full.length} characters; Lambda allows ${maxNameLength}`,
    );
  }
  return full;
}
