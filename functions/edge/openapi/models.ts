/** Models: the names under which clients know the shapes of bodies and answers. Each has a sentence. */
import { auditLogAnswer } from '../../../shared/audit/schemas.ts';
import {
  callerAnswer,
  endedTokenAnswer,
  revokeRequest,
  shownToken,
  tokenAnswer,
  tokenRequest,
  tokensAnswer,
} from '../../../shared/auth/schemas.ts';
import {
  combinations,
  definitionSchema,
  expressionSchema,
  namedForm,
  sentForms,
} from '../../../shared/catalogue/definition.ts';
import { whereSchema } from '../../../shared/catalogue/conditions/where.ts';
import { namedSegment, segmentRef } from '../../../shared/catalogue/segment-refs.ts';
import { segmentTypes } from '../../../shared/catalogue/types.ts';
import { collectionAnswer, collectionBody, collectionsAnswer } from '../../../shared/collections/schemas.ts';
import { delimiterChoices, delimiterNames, encodingNames, encodings } from '../../../shared/csv/dialect.ts';
import { attemptOutcomes, deliveryStates } from '../../../shared/deliveries/delivery.ts';
import { shownLog } from '../../../shared/deliveries/views.ts';
import { creatorSchema } from '../../../shared/http/api-user.ts';
import { permissionSchema, roleSchema } from '../../../shared/http/permissions.ts';
import { deletedAnswer, paging } from '../../../shared/http/list-schemas.ts';
import { phoneCountries } from '../../../shared/imports/mapping/country-codes.ts';
import { consentFilter } from '../../../shared/profiles/consent-schema.ts';
import { consentStates } from '../../../shared/profiles/consent.ts';
import { disclosuresSchema } from '../../../shared/profiles/disclosures.ts';
import { formerValues } from '../../../shared/profiles/former-values.ts';
import {
  endedObjectionAnswer,
  objectionAnswer,
  objectionBody,
  objectionsAnswer,
} from '../../../shared/profiles/objection-schemas.ts';
import { shownObjection } from '../../../shared/profiles/objections.ts';
import { provenanceAnswer, provenValues, shownTiers } from '../../../shared/profiles/provenance-schema.ts';
import {
  addressSchema,
  consentSchema,
  likeSchema,
  recordSchema,
  tagSchema,
} from '../../../shared/profiles/record-schema.ts';
import {
  accessAnswer,
  accessDisclosures,
  accessLocation,
  forgottenAnswer,
  listedProfile,
  profileAnswer,
  returnedProfile,
  shownConsent,
  shownLike,
  shownSegment,
  shownTag,
  storedAnswer,
} from '../../../shared/profiles/schemas.ts';
import { removedSchema } from '../../../shared/profiles/tombstone.ts';
import { grantedTiers } from '../../../shared/profiles/types.ts';
import { erasureBody, erasuresAnswer, shownErasure } from '../../../shared/retention/schemas.ts';
import { scheduleShape } from '../../../shared/schedules/schedule.ts';
import { evidence, membershipAnswer, reason, reasons } from '../../../shared/segments/explain/schemas.ts';
import { previewDefinition, previewForms } from '../../../shared/segments/preview-definition.ts';
import {
  peopleEstimate,
  previewAnswer,
  profilePaging,
  ruleFindings,
  segmentProfilesAnswer,
} from '../../../shared/segments/people-schemas.ts';
import {
  customSegmentAnswer,
  listedSegment,
  previewBody,
  segmentAnswer,
  segmentBody,
  segmentSizesAnswer,
  treeNode,
} from '../../../shared/segments/schemas.ts';
import { changesAnswer } from '../../../shared/timelines/changes-schemas.ts';
import {
  chartLinkAnswer,
  chartLinkBody,
  countedMomentAnswer,
  countedTimelineAnswer,
  momentAnswer,
  renameBody,
  timelineAnswer,
  timelineBody,
  timelineFactsAnswer,
} from '../../../shared/timelines/schemas.ts';
import { webhookModels } from './webhooks.ts';
import type { Choice, Model, Named } from './json-schema.ts';
import { codeModels } from './code-models.ts';
import { exportChoices, exportModels, importChoices, importModels } from './file-models.ts';

const account = {
  TokenRequest: [tokenRequest, 'A sign-in with the password of a user.'],
  Token: [tokenAnswer, 'An access token.'],
  RevokeRequest: [revokeRequest, 'A sign-out.'],
  Caller: [callerAnswer, 'The user of the token, what the token may do, and the properties that it reaches.'],
  Permission: [permissionSchema, 'What a token may do. Each operation about a property needs one.'],
  Role: [roleSchema, 'What a user may do: the permissions of the role.'],
  ListedToken: [shownToken, 'A token of a user.'],
  ListedTokens: [tokensAnswer, 'The tokens of a user that work.'],
  EndedToken: [endedTokenAnswer, 'The token that has ended.'],
  AuditLog: [auditLogAnswer, 'A page of the audit log.'],
  User: [creatorSchema, 'The user who created something.'],
} as const satisfies Readonly<Record<string, Model>>;

const shared = {
  Paging: [paging, 'The link from a page of a list to the next page.'],
  Deleted: [deletedAnswer, 'The id of what was deleted.'],
  Schedule: [scheduleShape, 'When something repeats: the fields of a cron line and a time zone.'],
  DeliveryLog: [shownLog, 'The newest attempts at a delivery, the newest first.'],
} as const satisfies Readonly<Record<string, Model>>;

const people = {
  ProfileInput: [
    recordSchema,
    'A record about one person. It needs an identity: `unique_id`, `email` or `social_id`. Null erases a value; an empty text counts as not sent.',
  ],
  StoredProfile: [storedAnswer, 'The profile that a record was stored in.'],
  Profile: [returnedProfile, 'The 23 fields of a profile. A field without a value is null.'],
  ListedProfile: [listedProfile, 'A profile on a page: the 23 fields, and what else the query asked for.'],
  FoundProfile: [profileAnswer, 'A profile, and whatever else the lookup asked for.'],
  Provenance: [provenanceAnswer, 'Where each value of a profile comes from.'],
  ProvenValues: [provenValues, 'All values of one field, the winner first, each with its source.'],
  PersonalData: [accessAnswer, 'Everything that is stored about one person.'],
  PersonalDataLocation: [accessLocation, 'The address of the file with everything about one person.'],
  PersonalDataDisclosures: [accessDisclosures, 'Who may have got the data of one person, alone.'],
  ForgottenProfile: [forgottenAnswer, 'A forgotten profile.'],
  FormerValues: [formerValues, 'Values of a person that imports have replaced.'],
  ObjectionInput: [objectionBody, 'An identity, and what its owner objects to.'],
  Objection: [objectionAnswer, 'An objection, and the person who has the identity.'],
  ListedObjection: [shownObjection, 'An objection, without its identity.'],
  ObjectionPage: [objectionsAnswer, 'A page of objections.'],
  NewErasure: [erasureBody, 'The segment whose profiles are forgotten.'],
  Erasure: [shownErasure, 'The erasure of many people: its progress, and at the end its receipt.'],
  ErasurePage: [erasuresAnswer, 'A page of erasures.'],
  EndedObjection: [endedObjectionAnswer, 'An objection that has ended.'],
  Disclosures: [disclosuresSchema, 'Who may have got the data of a person.'],
  RemovedItems: [removedSchema, 'How many items of each kind were removed.'],
  Address: [addressSchema, 'The parts of an address. Null erases a part.'],
  TagInput: [tagSchema, 'Tags that a person got at a time.'],
  LikedPageInput: [likeSchema, 'A page that a person likes.'],
  ConsentInput: [consentSchema, 'What a person said about a channel of communication.'],
  Tag: [shownTag, 'Tags that a person got at a time.'],
  LikedPage: [shownLike, 'A page that a person likes.'],
  Consent: [shownConsent, 'The statement that counts on a channel of communication.'],
  ProfileSegment: [shownSegment, 'A segment that a person is in.'],
  ConsentFilter: [consentFilter, 'A channel of communication and a state of consent.'],
} as const satisfies Readonly<Record<string, Model>>;

const segments = {
  SegmentReference: [segmentRef, 'A segment: its id, or its type and name.'],
  SegmentName: [namedSegment, 'A segment by its type and name.'],
  SegmentDefinition: [expressionSchema, 'The members of a custom segment, in terms of other segments.'],
  SegmentDefinitionInput: [
    definitionSchema,
    'The members of a custom segment: a segment, or a combination with `all`, `any` or `not`.',
  ],
  // Generators of clients read a model inside of itself only where each step has a name.
  AllOfSegments: [combinations.all, 'The profiles that are in all of several segments.'],
  AnyOfSegments: [combinations.any, 'The profiles that are in at least one of several segments.'],
  NotSegment: [combinations.not, 'The profiles that are not in a segment.'],
  AllOfSegmentsInput: [sentForms.all, 'The profiles that are in all of several segments.'],
  AnyOfSegmentsInput: [sentForms.any, 'The profiles that are in at least one of several segments.'],
  NotSegmentInput: [sentForms.not, 'The profiles that are not in a segment.'],
  NamedSegmentInput: [namedForm, 'A segment in a definition, by its type and name.'],
  SegmentInput: [segmentBody, 'A custom segment: a new one, or the replacement of an existing one.'],
  ListedSegment: [listedSegment, 'A segment in a list.'],
  Segment: [segmentAnswer, 'A segment with its exact size. Custom segments also show their definition.'],
  CustomSegment: [customSegmentAnswer, 'A custom segment.'],
  SegmentSizes: [segmentSizesAnswer, 'Segments with their sizes, the largest first.'],
  Where: [whereSchema, 'A rule over one field of a profile.'],
  PreviewDefinition: [previewDefinition, 'The people of a preview: segments, rules, or a combination.'],
  AllOfPreview: [previewForms.all, 'The profiles that are in all of several segments and rules.'],
  AnyOfPreview: [previewForms.any, 'The profiles that are in at least one of several segments and rules.'],
  NotPreview: [previewForms.not, 'The profiles that are not in a segment or a rule.'],
  WherePreview: [previewForms.where, 'The profiles that meet a rule.'],
  SegmentPreviewInput: [previewBody, 'A definition to try out, or a rule.'],
  PeopleEstimate: [peopleEstimate, 'A number of profiles by a sample, with its bounds.'],
  RuleFindings: [ruleFindings, 'What a preview found of a rule.'],
  SegmentPreview: [previewAnswer, 'The size of a definition, and some of its people.'],
  SegmentProfiles: [segmentProfilesAnswer, 'A page of the people in a segment.'],
  ProfilePaging: [profilePaging, 'The links from a page of people to its neighbours.'],
  SegmentTreeNode: [treeNode, 'The segments of a profile in one category.'],
  Membership: [membershipAnswer, 'Whether a profile is in a segment, and why.'],
  MembershipReason: [reason, 'A condition of a segment, with its verdict about a profile.'],
  ValueReason: [reasons.value, 'A segment of a value, and the values that decide.'],
  EveryoneReason: [reasons.everyone, 'The segment of everyone.'],
  MomentReason: [reasons.moment, 'A frozen copy of the members of a segment.'],
  CustomReason: [reasons.custom, 'A custom segment, with the parts of its definition.'],
  CombinationReason: [reasons.combination, 'A combination of conditions: `all`, `any` or `not`.'],
  Evidence: [evidence, 'A value of the profile that decides a condition, and its source.'],
  CollectionInput: [collectionBody, 'A collection: a new one, or the replacement of an existing one.'],
  Collection: [collectionAnswer, 'A named list of segments.'],
  CollectionPage: [collectionsAnswer, 'A page of collections.'],
} as const satisfies Readonly<Record<string, Model>>;

const timelines = {
  TimelineInput: [timelineBody, 'A timeline to create.'],
  TimelineRenameInput: [renameBody, 'The new name of a timeline.'],
  Timeline: [timelineAnswer, 'A timeline with its newest moments.'],
  TimelineFacts: [timelineFactsAnswer, 'A timeline without its moments.'],
  CountedTimeline: [countedTimelineAnswer, 'A timeline with a page of its moments and their counts.'],
  Moment: [momentAnswer, 'A moment: a frozen copy of the members of a segment.'],
  CountedMoment: [countedMomentAnswer, 'A moment with its counts.'],
  TimelineChanges: [changesAnswer, 'The people who joined and left between two moments.'],
  ChartLinkInput: [chartLinkBody, 'The lifetime of a new link to a chart.'],
  ChartLink: [chartLinkAnswer, 'A link that opens a chart without a token.'],
} as const satisfies Readonly<Record<string, Model>>;

const choices = {
  SegmentType: [segmentTypes, 'The type of a segment.'],
  ConsentState: [consentStates, 'Whether a person gave or withdrew consent.'],
  Tier: [shownTiers, 'The trust of the source of a value.'],
  GrantedTier: [grantedTiers, 'A trust tier that an operator grants to a source.'],
  DeliveryState: [deliveryStates, 'The state of a delivery.'],
  AttemptOutcome: [attemptOutcomes, 'The outcome of one attempt at a delivery.'],
  Encoding: [encodings, 'The encoding of a file.'],
  EncodingChoice: [encodingNames, 'The encoding that a definition names; `auto` finds it.'],
  Delimiter: [delimiterNames, 'The delimiter of a file.'],
  DelimiterChoice: [delimiterChoices, 'The delimiter that a definition names; `auto` finds it.'],
  CountryCode: [phoneCountries, 'A country by its code of ISO 3166-1.'],
} as const satisfies Readonly<Record<string, Choice>>;

/** Everything that has a name in the document. */
export const named: Named = {
  models: {
    ...account,
    ...shared,
    ...people,
    ...segments,
    ...importModels,
    ...exportModels,
    ...timelines,
    ...codeModels,
    ...webhookModels,
  },
  choices: { ...choices, ...importChoices, ...exportChoices },
};
