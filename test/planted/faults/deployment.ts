import type { Area } from '../fault.ts';

export const deployment: Area = {
  'The API accepts TLS 1.3 only.': {
    'lib/deployment/stacks/gateway-stack.ts: the API has a second host beside its domain': [
      'disableExecuteApiEndpoint: stage.domain !== undefined,',
      'disableExecuteApiEndpoint: false,',
    ],
  },
  'The access log of API Gateway has address and route, and no query.': {
    'lib/deployment/stacks/gateway-stack.ts: the access log has the requested path': [
      'route: AccessLogField.contextResourcePath(),',
      'route: AccessLogField.contextResourcePath(), path: AccessLogField.contextPath(),',
    ],
  },
  'Each function reaches only what its route declares.': {
    'lib/deployment/constructs/service-function.ts: a function reaches the items of every prefix': [
      "'dynamodb:LeadingKeys': [",
      "'dynamodb:LeadingKeys': ['*', ",
    ],
  },
  'The endpoint of operator keys and its form alone can write an operator key, and the token endpoint no key of an application.':
    {
      'lib/deployment/constructs/service-function.ts: a function writes every kind of secret': [
        "'dynamodb:LeadingKeys': [",
        "'dynamodb:LeadingKeys': ['OPERATORKEY*', ",
      ],
    },
  'A signing secret is read by no endpoint but those that show it to its owner.': {
    'lib/deployment/constructs/service-function.ts: a function that queries an index queries every partition of it':
      ['const leadingKeys = prefixes.map((prefix) =>', "const leadingKeys = prefixes.map((prefix) => '*' ||"],
  },
  'AWS WAF keeps nothing that a caller sent.': {
    'lib/deployment/constructs/web-firewall.ts: AWS WAF keeps samples of requests': [
      'sampledRequestsEnabled: false,',
      'sampledRequestsEnabled: true,',
    ],
  },
  'One address cannot use up the throttle of a method, where AWS WAF is on.': {
    'lib/deployment/constructs/web-firewall.ts: an address may send a hundred requests a second to throttled methods':
      ['throttledAddressLimit = 10 * windowSeconds', 'throttledAddressLimit = 100 * windowSeconds'],
  },
  'The secret of the deployment is in no template.': {
    'lib/deployment/stacks/data-stack.ts: the secret of the deployment goes with its stack': [
      'excludePunctuation: true },\n      removalPolicy: RemovalPolicy.RETAIN,',
      'excludePunctuation: true },\n      removalPolicy: RemovalPolicy.DESTROY,',
    ],
  },
  'Addresses that bounced or complained get no mail.': {
    'lib/deployment/stacks/data-stack.ts: an address that complained gets mail': [
      'SuppressionReasons.BOUNCES_AND_COMPLAINTS',
      'SuppressionReasons.BOUNCES_ONLY',
    ],
  },
  'The stream of the table names changed items and contains none of their attributes.': {
    'lib/deployment/stacks/data-stack.ts: the stream of the table contains items': [
      'dynamoStream: StreamViewType[streamView],',
      'dynamoStream: StreamViewType.NEW_IMAGE,',
    ],
  },
  'A consumer of the stream may read this stream and write to the dead-letter queue, and nothing else beyond its grants.':
    {
      'lib/deployment/stacks/service-stack.ts: a consumer of the stream writes to every queue': [
        "actions: ['sqs:SendMessage'], resources: [queueArn]",
        "actions: ['sqs:SendMessage'], resources: ['*']",
      ],
    },
  'No deployed function delivers to its own machine.': {
    'lib/deployment/grants.ts: a function with files delivers events to its own machine': [
      "FILES_DIR: files ? '/var/task' : undefined,",
      "FILES_DIR: files ? '/var/task' : undefined, WEBHOOK_LOOPBACK: files ? 'true' : undefined,",
    ],
  },
  'An hour of a throttled method costs at most 400 dollars, without the transfer of responses.': {
    'functions/shares/routes.ts: creating shares may cost thousands of dollars an hour': [
      'throttle: { ratePerSecond: 75, burst: 150 }',
      'throttle: { ratePerSecond: 750, burst: 1_500 }',
    ],
  },
  'The dead-letter queue is encrypted and accepts TLS only.': {
    'lib/deployment/stacks/api-stack.ts: the dead-letter queue takes requests without TLS, and nobody warns of it':
      [
        '      enforceSSL: true,\n    });\n    Validations.of(this.queue).acknowledge({\n',
        "    });\n    Validations.of(this.queue).acknowledge({ id: 'AwsSolutions-SQS4', reason: 'A fault.' });\n    Validations.of(this.queue).acknowledge({\n",
      ],
  },
};
