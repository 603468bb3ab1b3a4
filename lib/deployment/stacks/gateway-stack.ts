import {
  ArnFormat,
  CfnOutput,
  CfnParameter,
  Fn,
  NestedStack,
  RemovalPolicy,
  Size,
  Validations,
} from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  ApiDefinition,
  CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SecurityPolicy,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Registered } from '../../../functions/routes.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import { restApiName } from '../constructs/metrics.ts';
import { addWebFirewall } from '../constructs/web-firewall.ts';
import { gatewayDocument, type RepeatedText } from '../gateway/gateway-document.ts';
import { methodThrottles } from '../gateway/throttles.ts';
import { apiFunctionPrefix } from '../service-parts.ts';
import { publicUrlOf, type StageSettings } from '../stages.ts';

/**
 * TLS 1.3 only, and only for clients that name the host (SNI).
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
const tls = { policy: SecurityPolicy.TLS13_1_3_2025_09, accessMode: EndpointAccessMode.STRICT } as const;

export interface GatewayStackProps {
  readonly stage: StageSettings;
  readonly registry: readonly Registered[];
  /** By the id of the route. */
  readonly functionNames: ReadonlyMap<string, string>;
}

/**
 * The REST API, its access log, the role that it invokes functions with, and its domain when the stage has one.
 *
 * It refers to functions by their fixed names. The stack has to be updated after those of the services.
 */
export class GatewayStack extends NestedStack {
  readonly api: SpecRestApi;
  readonly #sharedTexts = new Map<string, string>();

  constructor(scope: Construct, id: string, { stage, registry, functionNames }: GatewayStackProps) {
    super(scope, id, { parameters: { [invocationsParameter]: invocationsPrefix(stage) } });
    new CfnParameter(this, invocationsParameter, { description: 'How the URI of each function begins.' });
    const functionNameOf = ({ id }: Registered): string => {
      const functionName = functionNames.get(id);
      if (functionName === undefined) throw new Error(`${id} has no function`);
      return functionName;
    };
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: stage.logRetentionDays,
      removalPolicy: stage.keepLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const role = this.#invokeRole(stage);
    this.api = new SpecRestApi(this, 'Api', {
      restApiName: restApiName(stage),
      apiDefinition: ApiDefinition.fromInline(
        gatewayDocument({
          title: restApiName(stage),
          registry,
          basePath: stage.domain === undefined ? `/${stage.name}` : '',
          allowedOrigins: stage.allowedOrigins,
          ...defined({ publicUrl: publicUrlOf(stage) }),
          invocationUri: (entry) => invocationUri(stage, functionNameOf(entry)),
          credentials: role.roleArn,
          repeated: (name, text) => this.#shared(name, text),
        }),
      ),
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(1024),
      disableExecuteApiEndpoint: stage.domain !== undefined,
      // API Gateway writes no access log without a role in the settings of the account.
      cloudWatchRole: true,
      deployOptions: {
        stageName: stage.name,
        throttlingRateLimit: stage.throttling.ratePerSecond,
        throttlingBurstLimit: stage.throttling.burst,
        methodOptions: methodThrottles(stage, registry),
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: accessLogFormat(),
      },
    });
    const resource = this.api.node.defaultChild;
    if (resource instanceof CfnRestApi) {
      resource.securityPolicy = tls.policy;
      resource.endpointAccessMode = tls.accessMode;
    }
    if (stage.domain !== undefined) this.#addDomain(stage.domain);
    if (stage.webApplicationFirewall) {
      addWebFirewall(this, { stage, registry, stageArn: this.api.deploymentStage.stageArn });
    }
    acknowledge(this.api, stage);
  }

  /** A text that the template has once, as a parameter with the value that the parent passes. */
  #shared(name: RepeatedText, text: string): string {
    const known = this.#sharedTexts.get(name);
    if (known !== undefined && known !== text) throw new Error(`Two texts of the name ${name}`);
    if (known === undefined) {
      this.#sharedTexts.set(name, text);
      new CfnParameter(this, name, { description: 'A text that many paths repeat.' });
      this.setParameter(name, text);
    }
    return Fn.ref(name);
  }

  /**
   * Invokes the functions of this API and no others: not those of timers, nor of another stage. The prefix of their
   * names represents all of them, because the ARNs of about 100 functions exceed the 10,240 characters that the inline
   * policies of a role may have.
   * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
   */
  #invokeRole(stage: StageSettings): Role {
    const functions = this.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: `${apiFunctionPrefix(stage)}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functions] });
    return new Role(this, 'Invoke', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: `Invokes the functions of the API ${restApiName(stage)}.`,
      inlinePolicies: { Invoke: new PolicyDocument({ statements: [invoke] }) },
    });
  }

  #addDomain({ name, certificateArn }: NonNullable<StageSettings['domain']>): void {
    const domain = this.api.addDomainName('Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: tls.policy,
      endpointAccessMode: tls.accessMode,
    });
    new CfnOutput(this, 'DomainTarget', {
      description: `The target of a CNAME or alias record for ${name}`,
      value: domain.domainNameAliasDomainName,
    });
  }
}

/** The name of the parameter that replaces {@link invocationsPrefix}: the template has one URI for each endpoint. */
const invocationsParameter = 'Invocations';

/** How the URI of each function begins, in the account and region of the stack. */
function invocationsPrefix(stage: StageSettings): string {
  return Fn.sub(
    `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:${apiFunctionPrefix(stage)}`,
  );
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-integration.html */
function invocationUri(stage: StageSettings, functionName: string): string {
  const prefix = apiFunctionPrefix(stage);
  if (!functionName.startsWith(prefix)) throw new Error(`${functionName} is no function of the API`);
  return Fn.sub(`\${${invocationsParameter}}${functionName.slice(prefix.length)}/invocations`);
}

/**
 * One line for each request. The path is that of the route (`/api/thing/{id}`), never the requested one, and no field
 * contains the query: what follows `?` or is part of a path can open a share.
 */
function accessLogFormat(): AccessLogFormat {
  return AccessLogFormat.custom(
    JSON.stringify({
      requestId: AccessLogField.contextRequestId(),
      time: AccessLogField.contextRequestTimeEpoch(),
      method: AccessLogField.contextHttpMethod(),
      route: AccessLogField.contextResourcePath(),
      status: AccessLogField.contextStatus(),
      sourceIp: AccessLogField.contextIdentitySourceIp(),
      responseBytes: AccessLogField.contextResponseLength(),
      latencyMs: AccessLogField.contextResponseLatency(),
      integrationStatus: AccessLogField.contextIntegrationStatus(),
      integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
      errorType: AccessLogField.contextErrorResponseType(),
      tls: '$context.tlsVersion',
    }),
  );
}

/** Where this design departs from the AwsSolutions rules, and why. */
function acknowledge(api: SpecRestApi, { webApplicationFirewall }: StageSettings): void {
  Validations.of(api).acknowledge(
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason:
        'AWS maintains this policy for API Gateway to write its logs. API Gateway checks the role of the account for exactly these permissions.',
    },
    {
      id: 'AwsSolutions-APIG2',
      reason:
        'Each function validates its request against the schema of its route and responds with the errors of the contract, which a request validator of API Gateway cannot do.',
    },
    {
      id: 'AwsSolutions-APIG6',
      reason:
        'Execution logs contain paths, queries and bodies, and the query of a request can open a share. The access log and one record of each request in the log of its function replace them.',
    },
  );
  if (webApplicationFirewall) return;
  Validations.of(api).acknowledge({
    id: 'AwsSolutions-APIG3',
    reason:
      'The rate limits of callers are exact and stored in the table, and the stage is throttled. The setting webApplicationFirewall adds a web ACL.',
  });
}
