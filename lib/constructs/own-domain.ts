/** Own domain: an address of the operator at which the API of a stage answers, with the operator's certificate. */
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { CfnApiMapping, CfnDomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Stage } from '../config/stages.ts';
import type { ServiceApi } from './http-api.ts';

/**
 * The domain of a stage, if it has one. The outputs are what the operator's DNS points to. The address from API Gateway goes
 * on answering: it is the same door, with the same throttle, sign-in and log, and shows whether a fault is one of the domain.
 */
export const addOwnDomain = (stack: Stack, api: ServiceApi, { domainName, certificateArn }: Stage): void => {
  if (domainName === undefined || certificateArn === undefined) return;
  const domain = new CfnDomainName(stack, 'Domain', {
    domainName,
    domainNameConfigurations: [{ certificateArn, endpointType: 'REGIONAL', securityPolicy: 'TLS_1_2' }],
  });
  new CfnApiMapping(stack, 'DomainMapping', {
    apiId: api.apiId,
    domainName: domain.ref,
    stage: api.stageName,
  });
  const outputs = {
    DomainTarget: [domain.attrRegionalDomainName, 'Target of the CNAME or alias record of the domain'],
    DomainTargetZone: [
      domain.attrRegionalHostedZoneId,
      'Hosted zone of the target, for an alias record of Route 53',
    ],
  } as const;
  for (const [name, [value, description]] of Object.entries(outputs))
    new CfnOutput(stack, name, { value, description });
};
