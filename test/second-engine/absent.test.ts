import { it } from 'vitest';

it.skip('DynamoDB Local is not installed: .ci/dynamodb-local installs it');
