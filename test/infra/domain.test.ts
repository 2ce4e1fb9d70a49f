import { describe, expect, it } from 'vitest';
import { lossesOf } from '../../cli/deployment-losses.ts';
import { ConfigurationError } from '../../lib/config/settings.ts';
import { resolveStage } from '../../lib/config/stages.ts';
import { named, only, synthesized, type Synthesized, templatesOf } from './stacks.ts';

const environment = { account: '123456789012', region: 'eu-central-1' };
const certificateArn =
  'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-1111-4111-8111-000000000001';
const settings = { domainName: 'profiles.example.org', certificateArn };

/** The addresses that the functions of a stage have for links. */
const baseUrlsOf = ({ deployment }: Synthesized): readonly string[] => [
  ...new Set(
    deployment.functions.flatMap(({ properties }) => properties.Environment.Variables['BASE_URL'] ?? []),
  ),
];

describe('a stage with a domain of its own', () => {
  const stage = synthesized('dev', { settings, environment });

  it('has the domain with its certificate and TLS 1.2, and maps it to the stage of the API', () => {
    const domain = only(stage.ofType('AWS::ApiGatewayV2::DomainName'), 'domain');
    expect(domain.properties).toMatchObject({
      DomainName: 'profiles.example.org',
      DomainNameConfigurations: [
        { CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ],
    });
    const mapping = only(stage.ofType('AWS::ApiGatewayV2::ApiMapping'), 'mapping');
    const api = only(stage.ofType('AWS::ApiGatewayV2::Api'), 'API');
    expect(mapping.properties).toEqual({ ApiId: api.ref, DomainName: domain.ref, Stage: '$default' });
  });

  it('tells the target of the DNS record, and links to the domain', () => {
    const { template } = named(stage.assembly.stacks, 'tidemark-dev-api');
    expect(template.Outputs).toMatchObject({
      BaseUrl: { Value: 'https://profiles.example.org' },
      DomainTarget: { Value: { 'Fn::GetAtt': ['Domain', 'RegionalDomainName'] } },
      DomainTargetZone: { Value: { 'Fn::GetAtt': ['Domain', 'RegionalHostedZoneId'] } },
    });
    expect(baseUrlsOf(stage)).toEqual(['https://profiles.example.org']);
  });

  it('goes on answering at the address from API Gateway', () => {
    const api = only(stage.ofType('AWS::ApiGatewayV2::Api'), 'API');
    expect(api.properties['DisableExecuteApiEndpoint']).toBeUndefined();
  });

  it('links to another address if the operator gives one', () => {
    const baseUrl = 'https://cdn.example.org';
    expect(resolveStage('dev', { ...settings, baseUrl })).toMatchObject({ baseUrl });
  });

  it('loses it only when the operator agrees', () => {
    const other = synthesized('dev', {
      settings: { ...settings, domainName: 'other.example.org' },
      environment,
    });
    expect(lossesOf(templatesOf(stage), templatesOf(other))).toEqual([
      'the domain profiles.example.org with the target of its DNS record (Domain): deleted',
    ]);
  });
});

it('a stage without a domain has none', () => {
  expect(synthesized('dev').ofType('AWS::ApiGatewayV2::DomainName')).toEqual([]);
});

it.each([
  ['dev', { domainName: 'profiles.example.org' }, 'need each other'],
  ['dev', { certificateArn }, 'need each other'],
  ['local', settings, 'only for stages in AWS'],
  ['dev', { ...settings, domainName: 'Profiles.example.org' }, 'must be a domain name'],
  ['dev', { ...settings, domainName: 'https://profiles.example.org' }, 'must be a domain name'],
  ['dev', { ...settings, domainName: 'localhost' }, 'must be a domain name'],
  ['dev', { ...settings, domainName: 'a..example.org' }, 'must be a domain name'],
  ['dev', { ...settings, domainName: '-a.example.org' }, 'must be a domain name'],
  ['dev', { ...settings, certificateArn: 'arn:aws:iam::1:server-certificate/a' }, 'must be the ARN'],
  [
    'dev',
    { ...settings, certificateArn: certificateArn.replace('eu-central-1', 'us-east-1') },
    'eu-central-1',
  ],
  [
    'dev',
    { ...settings, certificateArn: certificateArn.replace('123456789012', '000000000000') },
    '123456789012',
  ],
])('in the stage %s, %j is refused in one sentence', (name, given, told) => {
  const resolve = () => resolveStage(name, given, environment);
  expect(resolve).toThrow(ConfigurationError);
  expect(resolve).toThrow(told);
});
