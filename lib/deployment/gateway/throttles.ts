import type { MethodDeploymentOptions } from 'aws-cdk-lib/aws-apigateway';
import type { Registered } from '../../../functions/routes.ts';
import type { Throttle } from '../../../functions/shared/contract/route.ts';
import { pathsOf } from '../../openapi/paths.ts';
import type { StageSettings } from '../stages.ts';
import { ownFileMethods, ownFiles } from './own-files.ts';
import { methodsOf } from './paths.ts';
import { unknownPath, unknownPathThrottle } from './unknown-path.ts';

export interface ThrottledMethod {
  readonly method: string;
  /** `/api/thing/{id}`. */
  readonly path: string;
  readonly throttle: Throttle;
}

/** The throttled methods, each at every path of its route. */
export function throttledMethods(registry: readonly Registered[]): ThrottledMethod[] {
  return registry.flatMap(({ route }) => {
    const { throttle } = route;
    if (throttle === undefined) return [];
    return pathsOf(route).flatMap((path) => methodsOf(route).map((method) => ({ method, path, throttle })));
  });
}

/**
 * The throttles, with that of unknown paths and of each file that no function gives, as `methodOptions` of the stage, which CDK writes as `MethodSettings` with the path as `/~1api~1thing`.
 * A setting replaces the stage's own for its method, so it never exceeds that one. What it leaves out is off, as in the
 * stage: logging, tracing and detailed metrics.
 *
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-apigateway-stage-methodsetting.html
 */
export function methodThrottles(
  { throttling }: StageSettings,
  registry: readonly Registered[],
): Record<string, MethodDeploymentOptions> {
  const throttle = unknownPathThrottle;
  const files = Object.keys(ownFiles).flatMap((path) =>
    ownFileMethods.map((method) => ({ method, path, throttle })),
  );
  const unknown = { method: 'GET', path: unknownPath, throttle };
  return Object.fromEntries(
    [...throttledMethods(registry), unknown, ...files].map(({ method, path, throttle }) => [
      `${path}/${method}`,
      {
        throttlingRateLimit: Math.min(throttle.ratePerSecond, throttling.ratePerSecond),
        throttlingBurstLimit: Math.min(throttle.burst, throttling.burst),
      },
    ]),
  );
}
