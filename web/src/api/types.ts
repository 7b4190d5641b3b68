/**
 * Wire types by the names this program uses. They are generated: the server's test writes
 * openapi.json, `npm run schema` makes schema.gen.ts of it.
 */
import type { components } from './schema.gen';

type Schemas = components['schemas'];

export type AccessField = Schemas['AccessField'];
export type AccessSite = Schemas['AccessSite'];
export type AccessesReport = Schemas['AccessesReport'];
export type ApiError = Schemas['ApiError'];
export type DoctorModule = Schemas['DoctorModule'];
export type DumpMeta = Schemas['DumpMeta'];
export type FieldDoc = Schemas['FieldDoc'];
export type FlameReport = Schemas['FlameReport'];
export type GraphEdges = Schemas['GraphEdges'];
export type GraphReport = Schemas['GraphReport'];
export type Gross = Schemas['Gross'];
export type GraphTag = Schemas['GraphTag'];
export type GrowthDump = Schemas['GrowthDump'];
export type GrowthReport = Schemas['GrowthReport'];
export type GrowthRow = Schemas['GrowthRow'];
export type GrowthShape = Schemas['GrowthShape'];
export type Header = Schemas['Header'];
export type Inlining = Schemas['Inlining'];
export type MatchedBuilds = Schemas['MatchedBuilds'];
export type Meta = Schemas['Meta'];
export type MomentReport = Schemas['MomentReport'];
export type RunClock = Schemas['RunClock'];
export type RunReport = Schemas['RunReport'];
export type MissingSource = Schemas['MissingSource'];
export type PeekEntry = Schemas['PeekEntry'];
export type PeekLink = Schemas['PeekLink'];
export type PeekReport = Schemas['PeekReport'];
export type Row = Schemas['Row'];
export type Kind = Row['kind'];
export type Rule = Schemas['Rule'];
export type Rules = Schemas['Rules'];
export type SizeClass = Schemas['SizeClass'];
export type SizePart = Schemas['SizePart'];
export type SizeSum = Schemas['SizeSum'];
export type SizesReport = Schemas['SizesReport'];
export type TypesReport = Schemas['TypesReport'];
export type TypeRow = Schemas['TypeRow'];
export type HeldType = Schemas['HeldType'];
export type SourceCall = Schemas['SourceCall'];
export type SourceEntry = Schemas['SourceEntry'];
export type SourceInstruction = Schemas['SourceInstruction'];
export type SourceReport = Schemas['SourceReport'];
export type Spread = Schemas['Spread'];
export type SourceStep = Schemas['SourceStep'];
export type SummaryPackage = Schemas['SummaryPackage'];
export type SummaryReport = Schemas['SummaryReport'];
export type SummarySum = Schemas['SummarySum'];
export type SummaryTotal = Schemas['SummaryTotal'];
export type TagKey = Schemas['TagKey'];
export type TagNumber = Schemas['TagNumber'];
export type TagRange = Schemas['TagRange'];
export type TagValue = Schemas['TagValue'];
export type TagsReport = Schemas['TagsReport'];
export type TopReport = Schemas['TopReport'];
export type Trend = Schemas['Trend'];
export type Opened = Schemas['Opened'];
export type Share = Schemas['Share'];
export type StartEntry = Schemas['StartEntry'];
export type StartList = Schemas['StartList'];
