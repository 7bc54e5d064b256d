/** How an operation's input becomes a request: small data, created when the document is read. */
import type { ServiceRequest } from '../../domain/service.js';

export type Method = NonNullable<ServiceRequest['method']>;
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';
export type Style = 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

export interface ParameterPlan {
  /** The key in the input. */
  readonly key: string;
  /** The name in the request. */
  readonly name: string;
  readonly in: ParameterPlace;
  readonly style: Style;
  readonly explode: boolean;
  /** Written as one text of this kind, whatever its style. */
  readonly content?: 'json' | 'text';
  /** Reserved characters of URLs are not encoded. */
  readonly reserved?: true;
}

export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

/** How one member of a form is written if not in the default way. */
export interface FieldPlan {
  readonly style?: Style;
  readonly explode?: boolean;
  readonly reserved?: true;
  readonly contentType?: string;
  /** Its value is `{ data, filename, content_type }`, or a list of them. */
  readonly file?: true;
}

export interface BodyPlan {
  readonly kind: BodyKind;
  readonly contentType: string;
  readonly required: boolean;
  /** Body members beside the parameters, as [key, name]. Absent: the whole body is one member, `body`. */
  readonly spread?: readonly (readonly [key: string, name: string])[];
  /** By name, for forms. */
  readonly fields?: Readonly<Record<string, FieldPlan>>;
}

export interface RequestPlan {
  readonly method: Method;
  readonly path: string;
  readonly server: string;
  readonly accept: string;
  readonly parameters: readonly ParameterPlan[];
  /** In lower case: the header parameter in which the service takes an idempotency key. */
  readonly idempotencyHeader?: string;
  /** The input has one member for each location (`path`, `query`, `header`, `cookie`), because names collide. */
  readonly grouped?: true;
  readonly body?: BodyPlan;
}
