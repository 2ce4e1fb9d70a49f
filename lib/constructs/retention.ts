import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Stage } from '../config/stages.ts';

/**
 * Removal policy of a resource that must outlive its stack (`DeletionPolicy: RetainExceptOnCreate`). CloudFormation
 * deletes the resource only when the deployment that created it fails, so that the deployment can be repeated under the
 * same names.
 */
export const kept = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/** Removal policy of a resource with data: kept in stages that keep data, otherwise deleted with its stack. */
export const dataRemoval = ({ keepData }: Stage): RemovalPolicy => (keepData ? kept : RemovalPolicy.DESTROY);
