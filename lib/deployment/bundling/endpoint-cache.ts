/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundles: a cache of discovered endpoints that keeps none.
 *
 * The client of DynamoDB makes one for endpoint discovery, which is off unless `AWS_ENABLE_ENDPOINT_DISCOVERY` switches it on,
 * and which no command of the present version asks for. The SDK's middleware looks into the cache even while discovery is
 * off, so an answer is "nothing is cached" and never an error.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-endpoint-discovery.html
 */
export class EndpointCache {
  getEndpoint(_key: string): undefined {
    return undefined;
  }

  get(_key: string): undefined {
    return undefined;
  }

  set(_key: string, _endpoints: unknown): void {}

  delete(_key: string): void {}
}
