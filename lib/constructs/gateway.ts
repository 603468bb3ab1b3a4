import { Aws, CfnOutput, RemovalPolicy, Size, Validations } from 'aws-cdk-lib';
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
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Registered } from '../../functions/routes.ts';
import { gatewayDocument } from '../gateway-document.ts';
import { pathsOf } from '../paths.ts';
import type { StageSettings } from '../stages.ts';

/**
 * TLS 1.3 and nothing older, for clients that name the host they want.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
const tls = { policy: SecurityPolicy.TLS13_1_3_2025_09, accessMode: EndpointAccessMode.STRICT } as const;

export interface GatewayProps {
  readonly stage: StageSettings;
  readonly registry: readonly Registered[];
  readonly functions: ReadonlyMap<string, LambdaFunction>;
}

/** The REST API in front of the functions, its access log, and its domain when the stage has one. */
export class Gateway extends Construct {
  readonly api: SpecRestApi;

  constructor(scope: Construct, id: string, { stage, registry, functions }: GatewayProps) {
    super(scope, id);
    const functionOf = ({ id }: Registered): LambdaFunction => {
      const found = functions.get(id);
      if (found === undefined) throw new Error(`${id} has no function`);
      return found;
    };
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: stage.logRetentionDays,
      removalPolicy: stage.keepLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.api = new SpecRestApi(this, 'Api', {
      restApiName: `vouchsafe-${stage.name}`,
      apiDefinition: ApiDefinition.fromInline(
        gatewayDocument({
          title: `vouchsafe-${stage.name}`,
          registry,
          allowedOrigins: stage.allowedOrigins,
          invocationUri: (entry) =>
            `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${functionOf(entry).functionArn}/invocations`,
        }),
      ),
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: Size.bytes(1024),
      disableExecuteApiEndpoint: stage.domain !== undefined,
      // Without an account role API Gateway writes no access log.
      cloudWatchRole: true,
      deployOptions: {
        stageName: stage.name,
        throttlingRateLimit: stage.throttling.ratePerSecond,
        throttlingBurstLimit: stage.throttling.burst,
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
    for (const entry of registry) this.allow(entry, functionOf(entry));
    if (stage.domain !== undefined) this.addDomain(stage.domain);
    acknowledge(this.api);
  }

  /** Lets this stage's one method call the function, at each of its paths, and nothing else. */
  private allow({ id, route }: Registered, target: LambdaFunction): void {
    for (const [i, path] of pathsOf(route).entries()) {
      const called = path.replace(/\{[^}]+\}/g, '*');
      new CfnPermission(this, `Invoke${id}${i === 0 ? '' : '.also'}`, {
        action: 'lambda:InvokeFunction',
        principal: 'apigateway.amazonaws.com',
        functionName: target.functionArn,
        sourceArn: this.api.arnForExecuteApi(route.method, called, this.api.deploymentStage.stageName),
      });
    }
  }

  private addDomain({ name, certificateArn }: NonNullable<StageSettings['domain']>): void {
    const domain = this.api.addDomainName('Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: tls.policy,
      endpointAccessMode: tls.accessMode,
    });
    new CfnOutput(this, 'DomainTarget', {
      description: `Where a CNAME or alias record of ${name} points`,
      value: domain.domainNameAliasDomainName,
    });
  }
}

/**
 * One line a request. The path is the route's (`/api/thing/{id}`), never the one called, and no query is
 * among the fields: what follows `?` or stands in a path can open a share.
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

/** Where the rules of AwsSolutions and this design part, and why. */
function acknowledge(api: SpecRestApi): void {
  Validations.of(api).acknowledge(
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason:
        'The policy that AWS keeps for this one purpose: API Gateway writing its logs. The role is that of the account, which API Gateway checks for just these permissions.',
    },
    {
      id: 'AwsSolutions-APIG2',
      reason:
        'Each function validates its request against the schema of its route and answers in the words of the contract, which a request validator of the gateway could not.',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason:
        'The limits per caller are exact and kept in the table, and the stage is throttled. A web ACL is a choice of who deploys and can be put in front without a change here.',
    },
    {
      id: 'AwsSolutions-APIG6',
      reason:
        'Execution logs record paths, queries and bodies, and a share is opened by its query. The access log and one record a request of each function take their place.',
    },
  );
}
