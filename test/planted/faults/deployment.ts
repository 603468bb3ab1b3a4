import type { PlantedFault } from '../fault.ts';

const statement = 'lib/deployment/constructs/service-function.ts';
const gateway = 'lib/deployment/stacks/gateway-stack.ts';
const firewall = 'lib/deployment/constructs/web-firewall.ts';
const data = 'lib/deployment/stacks/data-stack.ts';

/** Faults of the templates. Where cdk-nag would stop the synthesis at a fault, the fault acknowledges its rule as well. */
export const faultsOfDeployments: readonly PlantedFault[] = [
  {
    name: 'the API has a second host beside its domain',
    file: gateway,
    find: 'disableExecuteApiEndpoint: stage.domain !== undefined,',
    replace: 'disableExecuteApiEndpoint: false,',
    caughtBy: { promise: 'The API accepts TLS 1.3 only.' },
  },
  {
    name: 'the domain takes clients that do not name the host',
    file: gateway,
    find: 'accessMode: EndpointAccessMode.STRICT',
    replace: 'accessMode: EndpointAccessMode.BASIC',
    caughtBy: { promise: 'The API accepts TLS 1.3 only.' },
  },
  {
    name: 'the access log has the requested path',
    file: gateway,
    find: 'route: AccessLogField.contextResourcePath(),',
    replace: 'route: AccessLogField.contextResourcePath(), path: AccessLogField.contextPath(),',
    caughtBy: { promise: 'The access log of API Gateway has address and route, and no query.' },
  },
  {
    name: 'a function reaches the items of every prefix',
    file: statement,
    find: "'dynamodb:LeadingKeys': [",
    replace: "'dynamodb:LeadingKeys': ['*', ",
    caughtBy: { promise: 'Each function reaches only what its route declares.' },
  },
  {
    name: 'a function writes every kind of secret',
    file: statement,
    find: "'dynamodb:LeadingKeys': [",
    replace: "'dynamodb:LeadingKeys': ['OPERATORKEY*', ",
    caughtBy: {
      promise: 'One function can write an operator key, and the token endpoint no key of an application.',
    },
  },
  {
    name: 'a function that queries an index queries every partition of it',
    file: statement,
    find: 'const leadingKeys = prefixes.map((prefix) =>',
    replace: "const leadingKeys = prefixes.map((prefix) => '*' ||",
    caughtBy: {
      promise: 'A signing secret is read by no endpoint but those that show it to its owner.',
    },
  },
  {
    name: 'AWS WAF keeps samples of requests',
    file: firewall,
    find: 'sampledRequestsEnabled: false,',
    replace: 'sampledRequestsEnabled: true,',
    caughtBy: { promise: 'AWS WAF keeps nothing that a caller sent.' },
  },
  {
    name: 'an address may send a hundred requests a second to throttled methods',
    file: firewall,
    find: 'throttledAddressLimit = 10 * windowSeconds',
    replace: 'throttledAddressLimit = 100 * windowSeconds',
    caughtBy: { promise: 'One address cannot use up the throttle of a method, where AWS WAF is on.' },
  },
  {
    name: 'the secret of the deployment goes with its stack',
    file: data,
    find: 'excludePunctuation: true },\n      removalPolicy: RemovalPolicy.RETAIN,',
    replace: 'excludePunctuation: true },\n      removalPolicy: RemovalPolicy.DESTROY,',
    caughtBy: { promise: 'The secret of the deployment is in no template.' },
  },
  {
    name: 'an address that complained gets mail',
    file: data,
    find: 'SuppressionReasons.BOUNCES_AND_COMPLAINTS',
    replace: 'SuppressionReasons.BOUNCES_ONLY',
    caughtBy: { promise: 'Addresses that bounced or complained get no mail.' },
  },
  {
    name: 'the stream of the table contains items',
    file: data,
    find: 'dynamoStream: StreamViewType[streamView],',
    replace: 'dynamoStream: StreamViewType.NEW_IMAGE,',
    caughtBy: {
      promise: 'The stream of the table names changed items and contains none of their attributes.',
    },
  },
  {
    name: 'a consumer of the stream writes to every queue',
    file: 'lib/deployment/stacks/service-stack.ts',
    find: "actions: ['sqs:SendMessage'], resources: [queueArn]",
    replace: "actions: ['sqs:SendMessage'], resources: ['*']",
    caughtBy: {
      promise:
        'A consumer of the stream may read this stream and write to the dead-letter queue, and nothing else beyond its grants.',
    },
  },
  {
    name: 'a function with files delivers events to its own machine',
    file: 'lib/deployment/grants.ts',
    find: "FILES_DIR: files ? '/var/task' : undefined,",
    replace: "FILES_DIR: files ? '/var/task' : undefined, WEBHOOK_LOOPBACK: files ? 'true' : undefined,",
    caughtBy: { promise: 'No deployed function delivers to its own machine.' },
  },
  {
    name: 'creating shares may cost thousands of dollars an hour',
    file: 'functions/shares/contracts/create.ts',
    find: 'throttle: { ratePerSecond: 75, burst: 150 }',
    replace: 'throttle: { ratePerSecond: 750, burst: 1_500 }',
    caughtBy: {
      promise: 'An hour of a throttled method costs at most 400 dollars, without the transfer of responses.',
    },
  },
  {
    name: 'the dead-letter queue takes requests without TLS, and nobody warns of it',
    file: 'lib/deployment/constructs/dead-letters.ts',
    find: '      enforceSSL: true,\n    });\n    Validations.of(this.queue).acknowledge({\n',
    replace:
      "    });\n    Validations.of(this.queue).acknowledge({ id: 'AwsSolutions-SQS4', reason: 'A fault.' });\n    Validations.of(this.queue).acknowledge({\n",
    caughtBy: { promise: 'The dead-letter queue is encrypted and accepts TLS only.' },
  },
];
