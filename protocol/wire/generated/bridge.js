/*eslint-disable block-scoped-var, id-length, no-control-regex, no-magic-numbers, no-mixed-operators, no-prototype-builtins, no-redeclare, no-shadow, no-var, sort-vars, default-case, jsdoc/require-param*/
import $protobuf from "protobufjs/minimal.js";

// Common aliases
const $Reader = $protobuf.Reader, $Writer = $protobuf.Writer, $util = $protobuf.util;
const $Object = $util.global.Object, $undefined = $util.global.undefined, $Error = $util.global.Error, $RangeError = $util.global.RangeError, $TypeError = $util.global.TypeError, $String = $util.global.String, $Number = $util.global.Number, $parseInt = $util.global.parseInt, $BigInt = $util.global.BigInt, $Array = $util.global.Array, $Boolean = $util.global.Boolean;

// Exported root namespace
const $root = $protobuf.roots["default"] || ($protobuf.roots["default"] = {});

export const tillbridge = $root.tillbridge = (() => {

    /**
     * Namespace tillbridge.
     * @exports tillbridge
     * @namespace
     */
    const tillbridge = {};

    tillbridge.v1 = (function() {

        /**
         * Namespace v1.
         * @memberof tillbridge
         * @namespace
         */
        const v1 = {};

        v1.Envelope = (function() {

            /**
             * Properties of an Envelope.
             * @typedef {Object} tillbridge.v1.Envelope.$Properties
             * @property {string|null} [id] Envelope id
             * @property {string|null} [terminalId] Envelope terminalId
             * @property {number|null} [sequence] Envelope sequence
             * @property {tillbridge.v1.Challenge.$Properties|null} [challenge] Envelope challenge
             * @property {tillbridge.v1.Hello.$Properties|null} [hello] Envelope hello
             * @property {tillbridge.v1.Welcome.$Properties|null} [welcome] Envelope welcome
             * @property {tillbridge.v1.Goodbye.$Properties|null} [goodbye] Envelope goodbye
             * @property {tillbridge.v1.Heartbeat.$Properties|null} [heartbeat] Envelope heartbeat
             * @property {tillbridge.v1.HeartbeatAnswer.$Properties|null} [heartbeatAnswer] Envelope heartbeatAnswer
             * @property {tillbridge.v1.EnrolmentRequest.$Properties|null} [enrolmentRequest] Envelope enrolmentRequest
             * @property {tillbridge.v1.EnrolmentAnswer.$Properties|null} [enrolmentAnswer] Envelope enrolmentAnswer
             * @property {tillbridge.v1.StorePolicy.$Properties|null} [storePolicy] Envelope storePolicy
             * @property {tillbridge.v1.AuthorizationRequest.$Properties|null} [authorizationRequest] Envelope authorizationRequest
             * @property {tillbridge.v1.AuthorizationAnswer.$Properties|null} [authorizationAnswer] Envelope authorizationAnswer
             * @property {tillbridge.v1.StatusRequest.$Properties|null} [statusRequest] Envelope statusRequest
             * @property {tillbridge.v1.StatusAnswer.$Properties|null} [statusAnswer] Envelope statusAnswer
             * @property {tillbridge.v1.Reversal.$Properties|null} [reversal] Envelope reversal
             * @property {tillbridge.v1.OfflineRecord.$Properties|null} [offlineRecord] Envelope offlineRecord
             * @property {tillbridge.v1.Capture.$Properties|null} [capture] Envelope capture
             * @property {tillbridge.v1.Acknowledgement.$Properties|null} [acknowledgement] Envelope acknowledgement
             * @property {tillbridge.v1.Parked.$Properties|null} [parked] Envelope parked
             * @property {tillbridge.v1.VoiceAuthorization.$Properties|null} [voiceAuthorization] Envelope voiceAuthorization
             * @property {tillbridge.v1.CancelIfUnseen.$Properties|null} [cancelIfUnseen] Envelope cancelIfUnseen
             * @property {tillbridge.v1.Command.$Properties|null} [command] Envelope command
             * @property {tillbridge.v1.CommandResult.$Properties|null} [commandResult] Envelope commandResult
             * @property {"challenge"|"hello"|"welcome"|"goodbye"|"heartbeat"|"heartbeatAnswer"|"enrolmentRequest"|"enrolmentAnswer"|"storePolicy"|"authorizationRequest"|"authorizationAnswer"|"statusRequest"|"statusAnswer"|"reversal"|"offlineRecord"|"capture"|"acknowledgement"|"parked"|"voiceAuthorization"|"cancelIfUnseen"|"command"|"commandResult"} [body] Envelope body
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an Envelope.
             * @memberof tillbridge.v1
             * @interface IEnvelope
             * @augments tillbridge.v1.Envelope.$Properties
             * @deprecated Use tillbridge.v1.Envelope.$Properties instead.
             */

            /**
             * Narrowed shape of an Envelope.
             * @typedef {{
             *   id?: string|null;
             *   terminalId?: string|null;
             *   sequence?: number|null;
             *   challenge?: tillbridge.v1.Challenge.$Shape|null;
             *   hello?: tillbridge.v1.Hello.$Shape|null;
             *   welcome?: tillbridge.v1.Welcome.$Shape|null;
             *   goodbye?: tillbridge.v1.Goodbye.$Shape|null;
             *   heartbeat?: tillbridge.v1.Heartbeat.$Shape|null;
             *   heartbeatAnswer?: tillbridge.v1.HeartbeatAnswer.$Shape|null;
             *   enrolmentRequest?: tillbridge.v1.EnrolmentRequest.$Shape|null;
             *   enrolmentAnswer?: tillbridge.v1.EnrolmentAnswer.$Shape|null;
             *   storePolicy?: tillbridge.v1.StorePolicy.$Shape|null;
             *   authorizationRequest?: tillbridge.v1.AuthorizationRequest.$Shape|null;
             *   authorizationAnswer?: tillbridge.v1.AuthorizationAnswer.$Shape|null;
             *   statusRequest?: tillbridge.v1.StatusRequest.$Shape|null;
             *   statusAnswer?: tillbridge.v1.StatusAnswer.$Shape|null;
             *   reversal?: tillbridge.v1.Reversal.$Shape|null;
             *   offlineRecord?: tillbridge.v1.OfflineRecord.$Shape|null;
             *   capture?: tillbridge.v1.Capture.$Shape|null;
             *   acknowledgement?: tillbridge.v1.Acknowledgement.$Shape|null;
             *   parked?: tillbridge.v1.Parked.$Shape|null;
             *   voiceAuthorization?: tillbridge.v1.VoiceAuthorization.$Shape|null;
             *   cancelIfUnseen?: tillbridge.v1.CancelIfUnseen.$Shape|null;
             *   command?: tillbridge.v1.Command.$Shape|null;
             *   commandResult?: tillbridge.v1.CommandResult.$Shape|null;
             *   $unknowns?: Array.<Uint8Array>;
             * } & (
             *   ({ body?: undefined; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "challenge"; challenge: tillbridge.v1.Challenge.$Shape; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "hello"; challenge?: null; hello: tillbridge.v1.Hello.$Shape; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "welcome"; challenge?: null; hello?: null; welcome: tillbridge.v1.Welcome.$Shape; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "goodbye"; challenge?: null; hello?: null; welcome?: null; goodbye: tillbridge.v1.Goodbye.$Shape; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "heartbeat"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat: tillbridge.v1.Heartbeat.$Shape; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "heartbeatAnswer"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer: tillbridge.v1.HeartbeatAnswer.$Shape; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "enrolmentRequest"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest: tillbridge.v1.EnrolmentRequest.$Shape; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "enrolmentAnswer"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer: tillbridge.v1.EnrolmentAnswer.$Shape; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "storePolicy"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy: tillbridge.v1.StorePolicy.$Shape; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "authorizationRequest"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest: tillbridge.v1.AuthorizationRequest.$Shape; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "authorizationAnswer"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer: tillbridge.v1.AuthorizationAnswer.$Shape; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "statusRequest"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest: tillbridge.v1.StatusRequest.$Shape; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "statusAnswer"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer: tillbridge.v1.StatusAnswer.$Shape; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "reversal"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal: tillbridge.v1.Reversal.$Shape; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "offlineRecord"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord: tillbridge.v1.OfflineRecord.$Shape; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "capture"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture: tillbridge.v1.Capture.$Shape; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "acknowledgement"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement: tillbridge.v1.Acknowledgement.$Shape; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "parked"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked: tillbridge.v1.Parked.$Shape; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "voiceAuthorization"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization: tillbridge.v1.VoiceAuthorization.$Shape; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "cancelIfUnseen"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen: tillbridge.v1.CancelIfUnseen.$Shape; command?: null; commandResult?: null }|{ body?: "command"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command: tillbridge.v1.Command.$Shape; commandResult?: null }|{ body?: "commandResult"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult: tillbridge.v1.CommandResult.$Shape })
             * )} tillbridge.v1.Envelope.$Shape
             */

            /**
             * Constructs a new Envelope.
             * @memberof tillbridge.v1
             * @classdesc Represents an Envelope.
             * @constructor
             * @param {tillbridge.v1.Envelope.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Envelope = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Envelope id.
             * @member {string} id
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.id = "";

            /**
             * Envelope terminalId.
             * @member {string} terminalId
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.terminalId = "";

            /**
             * Envelope sequence.
             * @member {number} sequence
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.sequence = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Envelope challenge.
             * @member {tillbridge.v1.Challenge.$Properties|null|undefined} challenge
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.challenge = null;

            /**
             * Envelope hello.
             * @member {tillbridge.v1.Hello.$Properties|null|undefined} hello
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.hello = null;

            /**
             * Envelope welcome.
             * @member {tillbridge.v1.Welcome.$Properties|null|undefined} welcome
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.welcome = null;

            /**
             * Envelope goodbye.
             * @member {tillbridge.v1.Goodbye.$Properties|null|undefined} goodbye
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.goodbye = null;

            /**
             * Envelope heartbeat.
             * @member {tillbridge.v1.Heartbeat.$Properties|null|undefined} heartbeat
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.heartbeat = null;

            /**
             * Envelope heartbeatAnswer.
             * @member {tillbridge.v1.HeartbeatAnswer.$Properties|null|undefined} heartbeatAnswer
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.heartbeatAnswer = null;

            /**
             * Envelope enrolmentRequest.
             * @member {tillbridge.v1.EnrolmentRequest.$Properties|null|undefined} enrolmentRequest
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.enrolmentRequest = null;

            /**
             * Envelope enrolmentAnswer.
             * @member {tillbridge.v1.EnrolmentAnswer.$Properties|null|undefined} enrolmentAnswer
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.enrolmentAnswer = null;

            /**
             * Envelope storePolicy.
             * @member {tillbridge.v1.StorePolicy.$Properties|null|undefined} storePolicy
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.storePolicy = null;

            /**
             * Envelope authorizationRequest.
             * @member {tillbridge.v1.AuthorizationRequest.$Properties|null|undefined} authorizationRequest
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.authorizationRequest = null;

            /**
             * Envelope authorizationAnswer.
             * @member {tillbridge.v1.AuthorizationAnswer.$Properties|null|undefined} authorizationAnswer
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.authorizationAnswer = null;

            /**
             * Envelope statusRequest.
             * @member {tillbridge.v1.StatusRequest.$Properties|null|undefined} statusRequest
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.statusRequest = null;

            /**
             * Envelope statusAnswer.
             * @member {tillbridge.v1.StatusAnswer.$Properties|null|undefined} statusAnswer
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.statusAnswer = null;

            /**
             * Envelope reversal.
             * @member {tillbridge.v1.Reversal.$Properties|null|undefined} reversal
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.reversal = null;

            /**
             * Envelope offlineRecord.
             * @member {tillbridge.v1.OfflineRecord.$Properties|null|undefined} offlineRecord
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.offlineRecord = null;

            /**
             * Envelope capture.
             * @member {tillbridge.v1.Capture.$Properties|null|undefined} capture
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.capture = null;

            /**
             * Envelope acknowledgement.
             * @member {tillbridge.v1.Acknowledgement.$Properties|null|undefined} acknowledgement
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.acknowledgement = null;

            /**
             * Envelope parked.
             * @member {tillbridge.v1.Parked.$Properties|null|undefined} parked
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.parked = null;

            /**
             * Envelope voiceAuthorization.
             * @member {tillbridge.v1.VoiceAuthorization.$Properties|null|undefined} voiceAuthorization
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.voiceAuthorization = null;

            /**
             * Envelope cancelIfUnseen.
             * @member {tillbridge.v1.CancelIfUnseen.$Properties|null|undefined} cancelIfUnseen
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.cancelIfUnseen = null;

            /**
             * Envelope command.
             * @member {tillbridge.v1.Command.$Properties|null|undefined} command
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.command = null;

            /**
             * Envelope commandResult.
             * @member {tillbridge.v1.CommandResult.$Properties|null|undefined} commandResult
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            Envelope.prototype.commandResult = null;

            // OneOf field names bound to virtual getters and setters
            let $oneOfFields;

            /**
             * Envelope body.
             * @member {"challenge"|"hello"|"welcome"|"goodbye"|"heartbeat"|"heartbeatAnswer"|"enrolmentRequest"|"enrolmentAnswer"|"storePolicy"|"authorizationRequest"|"authorizationAnswer"|"statusRequest"|"statusAnswer"|"reversal"|"offlineRecord"|"capture"|"acknowledgement"|"parked"|"voiceAuthorization"|"cancelIfUnseen"|"command"|"commandResult"|undefined} body
             * @memberof tillbridge.v1.Envelope
             * @instance
             */
            $Object.defineProperty(Envelope.prototype, "body", {
                get: $util.oneOfGetter($oneOfFields = ["challenge", "hello", "welcome", "goodbye", "heartbeat", "heartbeatAnswer", "enrolmentRequest", "enrolmentAnswer", "storePolicy", "authorizationRequest", "authorizationAnswer", "statusRequest", "statusAnswer", "reversal", "offlineRecord", "capture", "acknowledgement", "parked", "voiceAuthorization", "cancelIfUnseen", "command", "commandResult"]),
                set: $util.oneOfSetter($oneOfFields)
            });

            /**
             * Encodes the specified Envelope message. Does not implicitly {@link tillbridge.v1.Envelope.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Envelope
             * @static
             * @param {tillbridge.v1.Envelope.$Properties} message Envelope message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Envelope.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.id != null && $Object.hasOwnProperty.call(message, "id") && message.id !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.id);
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId") && message.terminalId !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.terminalId);
                if (message.sequence != null && $Object.hasOwnProperty.call(message, "sequence") && (typeof message.sequence === "object" ? message.sequence.low || message.sequence.high : message.sequence !== 0))
                    writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.sequence);
                if (message.challenge != null && $Object.hasOwnProperty.call(message, "challenge"))
                    $root.tillbridge.v1.Challenge.encode(message.challenge, writer.uint32(/* id 10, wireType 2 =*/82).fork(), _depth + 1).ldelim();
                if (message.hello != null && $Object.hasOwnProperty.call(message, "hello"))
                    $root.tillbridge.v1.Hello.encode(message.hello, writer.uint32(/* id 11, wireType 2 =*/90).fork(), _depth + 1).ldelim();
                if (message.welcome != null && $Object.hasOwnProperty.call(message, "welcome"))
                    $root.tillbridge.v1.Welcome.encode(message.welcome, writer.uint32(/* id 12, wireType 2 =*/98).fork(), _depth + 1).ldelim();
                if (message.goodbye != null && $Object.hasOwnProperty.call(message, "goodbye"))
                    $root.tillbridge.v1.Goodbye.encode(message.goodbye, writer.uint32(/* id 13, wireType 2 =*/106).fork(), _depth + 1).ldelim();
                if (message.heartbeat != null && $Object.hasOwnProperty.call(message, "heartbeat"))
                    $root.tillbridge.v1.Heartbeat.encode(message.heartbeat, writer.uint32(/* id 14, wireType 2 =*/114).fork(), _depth + 1).ldelim();
                if (message.heartbeatAnswer != null && $Object.hasOwnProperty.call(message, "heartbeatAnswer"))
                    $root.tillbridge.v1.HeartbeatAnswer.encode(message.heartbeatAnswer, writer.uint32(/* id 15, wireType 2 =*/122).fork(), _depth + 1).ldelim();
                if (message.enrolmentRequest != null && $Object.hasOwnProperty.call(message, "enrolmentRequest"))
                    $root.tillbridge.v1.EnrolmentRequest.encode(message.enrolmentRequest, writer.uint32(/* id 16, wireType 2 =*/130).fork(), _depth + 1).ldelim();
                if (message.enrolmentAnswer != null && $Object.hasOwnProperty.call(message, "enrolmentAnswer"))
                    $root.tillbridge.v1.EnrolmentAnswer.encode(message.enrolmentAnswer, writer.uint32(/* id 17, wireType 2 =*/138).fork(), _depth + 1).ldelim();
                if (message.storePolicy != null && $Object.hasOwnProperty.call(message, "storePolicy"))
                    $root.tillbridge.v1.StorePolicy.encode(message.storePolicy, writer.uint32(/* id 18, wireType 2 =*/146).fork(), _depth + 1).ldelim();
                if (message.authorizationRequest != null && $Object.hasOwnProperty.call(message, "authorizationRequest"))
                    $root.tillbridge.v1.AuthorizationRequest.encode(message.authorizationRequest, writer.uint32(/* id 20, wireType 2 =*/162).fork(), _depth + 1).ldelim();
                if (message.authorizationAnswer != null && $Object.hasOwnProperty.call(message, "authorizationAnswer"))
                    $root.tillbridge.v1.AuthorizationAnswer.encode(message.authorizationAnswer, writer.uint32(/* id 21, wireType 2 =*/170).fork(), _depth + 1).ldelim();
                if (message.statusRequest != null && $Object.hasOwnProperty.call(message, "statusRequest"))
                    $root.tillbridge.v1.StatusRequest.encode(message.statusRequest, writer.uint32(/* id 22, wireType 2 =*/178).fork(), _depth + 1).ldelim();
                if (message.statusAnswer != null && $Object.hasOwnProperty.call(message, "statusAnswer"))
                    $root.tillbridge.v1.StatusAnswer.encode(message.statusAnswer, writer.uint32(/* id 23, wireType 2 =*/186).fork(), _depth + 1).ldelim();
                if (message.reversal != null && $Object.hasOwnProperty.call(message, "reversal"))
                    $root.tillbridge.v1.Reversal.encode(message.reversal, writer.uint32(/* id 30, wireType 2 =*/242).fork(), _depth + 1).ldelim();
                if (message.offlineRecord != null && $Object.hasOwnProperty.call(message, "offlineRecord"))
                    $root.tillbridge.v1.OfflineRecord.encode(message.offlineRecord, writer.uint32(/* id 31, wireType 2 =*/250).fork(), _depth + 1).ldelim();
                if (message.capture != null && $Object.hasOwnProperty.call(message, "capture"))
                    $root.tillbridge.v1.Capture.encode(message.capture, writer.uint32(/* id 32, wireType 2 =*/258).fork(), _depth + 1).ldelim();
                if (message.acknowledgement != null && $Object.hasOwnProperty.call(message, "acknowledgement"))
                    $root.tillbridge.v1.Acknowledgement.encode(message.acknowledgement, writer.uint32(/* id 33, wireType 2 =*/266).fork(), _depth + 1).ldelim();
                if (message.parked != null && $Object.hasOwnProperty.call(message, "parked"))
                    $root.tillbridge.v1.Parked.encode(message.parked, writer.uint32(/* id 34, wireType 2 =*/274).fork(), _depth + 1).ldelim();
                if (message.voiceAuthorization != null && $Object.hasOwnProperty.call(message, "voiceAuthorization"))
                    $root.tillbridge.v1.VoiceAuthorization.encode(message.voiceAuthorization, writer.uint32(/* id 35, wireType 2 =*/282).fork(), _depth + 1).ldelim();
                if (message.cancelIfUnseen != null && $Object.hasOwnProperty.call(message, "cancelIfUnseen"))
                    $root.tillbridge.v1.CancelIfUnseen.encode(message.cancelIfUnseen, writer.uint32(/* id 36, wireType 2 =*/290).fork(), _depth + 1).ldelim();
                if (message.command != null && $Object.hasOwnProperty.call(message, "command"))
                    $root.tillbridge.v1.Command.encode(message.command, writer.uint32(/* id 40, wireType 2 =*/322).fork(), _depth + 1).ldelim();
                if (message.commandResult != null && $Object.hasOwnProperty.call(message, "commandResult"))
                    $root.tillbridge.v1.CommandResult.encode(message.commandResult, writer.uint32(/* id 41, wireType 2 =*/330).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an Envelope message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Envelope
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Envelope & tillbridge.v1.Envelope.$Shape} Envelope
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Envelope.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Envelope();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.id = value;
                            else
                                delete message.id;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.terminalId = value;
                            else
                                delete message.terminalId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.sequence = value;
                            else
                                delete message.sequence;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            message.challenge = $root.tillbridge.v1.Challenge.decode(reader, reader.size(), $undefined, _depth + 1, message.challenge);
                            message.body = "challenge";
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            message.hello = $root.tillbridge.v1.Hello.decode(reader, reader.size(), $undefined, _depth + 1, message.hello);
                            message.body = "hello";
                            continue;
                        }
                    case 12: {
                            if (wireType !== 2)
                                break;
                            message.welcome = $root.tillbridge.v1.Welcome.decode(reader, reader.size(), $undefined, _depth + 1, message.welcome);
                            message.body = "welcome";
                            continue;
                        }
                    case 13: {
                            if (wireType !== 2)
                                break;
                            message.goodbye = $root.tillbridge.v1.Goodbye.decode(reader, reader.size(), $undefined, _depth + 1, message.goodbye);
                            message.body = "goodbye";
                            continue;
                        }
                    case 14: {
                            if (wireType !== 2)
                                break;
                            message.heartbeat = $root.tillbridge.v1.Heartbeat.decode(reader, reader.size(), $undefined, _depth + 1, message.heartbeat);
                            message.body = "heartbeat";
                            continue;
                        }
                    case 15: {
                            if (wireType !== 2)
                                break;
                            message.heartbeatAnswer = $root.tillbridge.v1.HeartbeatAnswer.decode(reader, reader.size(), $undefined, _depth + 1, message.heartbeatAnswer);
                            message.body = "heartbeatAnswer";
                            continue;
                        }
                    case 16: {
                            if (wireType !== 2)
                                break;
                            message.enrolmentRequest = $root.tillbridge.v1.EnrolmentRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.enrolmentRequest);
                            message.body = "enrolmentRequest";
                            continue;
                        }
                    case 17: {
                            if (wireType !== 2)
                                break;
                            message.enrolmentAnswer = $root.tillbridge.v1.EnrolmentAnswer.decode(reader, reader.size(), $undefined, _depth + 1, message.enrolmentAnswer);
                            message.body = "enrolmentAnswer";
                            continue;
                        }
                    case 18: {
                            if (wireType !== 2)
                                break;
                            message.storePolicy = $root.tillbridge.v1.StorePolicy.decode(reader, reader.size(), $undefined, _depth + 1, message.storePolicy);
                            message.body = "storePolicy";
                            continue;
                        }
                    case 20: {
                            if (wireType !== 2)
                                break;
                            message.authorizationRequest = $root.tillbridge.v1.AuthorizationRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.authorizationRequest);
                            message.body = "authorizationRequest";
                            continue;
                        }
                    case 21: {
                            if (wireType !== 2)
                                break;
                            message.authorizationAnswer = $root.tillbridge.v1.AuthorizationAnswer.decode(reader, reader.size(), $undefined, _depth + 1, message.authorizationAnswer);
                            message.body = "authorizationAnswer";
                            continue;
                        }
                    case 22: {
                            if (wireType !== 2)
                                break;
                            message.statusRequest = $root.tillbridge.v1.StatusRequest.decode(reader, reader.size(), $undefined, _depth + 1, message.statusRequest);
                            message.body = "statusRequest";
                            continue;
                        }
                    case 23: {
                            if (wireType !== 2)
                                break;
                            message.statusAnswer = $root.tillbridge.v1.StatusAnswer.decode(reader, reader.size(), $undefined, _depth + 1, message.statusAnswer);
                            message.body = "statusAnswer";
                            continue;
                        }
                    case 30: {
                            if (wireType !== 2)
                                break;
                            message.reversal = $root.tillbridge.v1.Reversal.decode(reader, reader.size(), $undefined, _depth + 1, message.reversal);
                            message.body = "reversal";
                            continue;
                        }
                    case 31: {
                            if (wireType !== 2)
                                break;
                            message.offlineRecord = $root.tillbridge.v1.OfflineRecord.decode(reader, reader.size(), $undefined, _depth + 1, message.offlineRecord);
                            message.body = "offlineRecord";
                            continue;
                        }
                    case 32: {
                            if (wireType !== 2)
                                break;
                            message.capture = $root.tillbridge.v1.Capture.decode(reader, reader.size(), $undefined, _depth + 1, message.capture);
                            message.body = "capture";
                            continue;
                        }
                    case 33: {
                            if (wireType !== 2)
                                break;
                            message.acknowledgement = $root.tillbridge.v1.Acknowledgement.decode(reader, reader.size(), $undefined, _depth + 1, message.acknowledgement);
                            message.body = "acknowledgement";
                            continue;
                        }
                    case 34: {
                            if (wireType !== 2)
                                break;
                            message.parked = $root.tillbridge.v1.Parked.decode(reader, reader.size(), $undefined, _depth + 1, message.parked);
                            message.body = "parked";
                            continue;
                        }
                    case 35: {
                            if (wireType !== 2)
                                break;
                            message.voiceAuthorization = $root.tillbridge.v1.VoiceAuthorization.decode(reader, reader.size(), $undefined, _depth + 1, message.voiceAuthorization);
                            message.body = "voiceAuthorization";
                            continue;
                        }
                    case 36: {
                            if (wireType !== 2)
                                break;
                            message.cancelIfUnseen = $root.tillbridge.v1.CancelIfUnseen.decode(reader, reader.size(), $undefined, _depth + 1, message.cancelIfUnseen);
                            message.body = "cancelIfUnseen";
                            continue;
                        }
                    case 40: {
                            if (wireType !== 2)
                                break;
                            message.command = $root.tillbridge.v1.Command.decode(reader, reader.size(), $undefined, _depth + 1, message.command);
                            message.body = "command";
                            continue;
                        }
                    case 41: {
                            if (wireType !== 2)
                                break;
                            message.commandResult = $root.tillbridge.v1.CommandResult.decode(reader, reader.size(), $undefined, _depth + 1, message.commandResult);
                            message.body = "commandResult";
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an Envelope message.
             * @function verify
             * @memberof tillbridge.v1.Envelope
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Envelope.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                let properties = {};
                if (message.id != null && $Object.hasOwnProperty.call(message, "id"))
                    if (!$util.isString(message.id))
                        return "id: string expected";
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    if (!$util.isString(message.terminalId))
                        return "terminalId: string expected";
                if (message.sequence != null && $Object.hasOwnProperty.call(message, "sequence"))
                    if (!$util.isInteger(message.sequence) && !(message.sequence && $util.isInteger(message.sequence.low) && $util.isInteger(message.sequence.high)))
                        return "sequence: integer|Long expected";
                if (message.challenge != null && $Object.hasOwnProperty.call(message, "challenge")) {
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Challenge.verify(message.challenge, _depth + 1);
                        if (error)
                            return "challenge." + error;
                    }
                }
                if (message.hello != null && $Object.hasOwnProperty.call(message, "hello")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Hello.verify(message.hello, _depth + 1);
                        if (error)
                            return "hello." + error;
                    }
                }
                if (message.welcome != null && $Object.hasOwnProperty.call(message, "welcome")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Welcome.verify(message.welcome, _depth + 1);
                        if (error)
                            return "welcome." + error;
                    }
                }
                if (message.goodbye != null && $Object.hasOwnProperty.call(message, "goodbye")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Goodbye.verify(message.goodbye, _depth + 1);
                        if (error)
                            return "goodbye." + error;
                    }
                }
                if (message.heartbeat != null && $Object.hasOwnProperty.call(message, "heartbeat")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Heartbeat.verify(message.heartbeat, _depth + 1);
                        if (error)
                            return "heartbeat." + error;
                    }
                }
                if (message.heartbeatAnswer != null && $Object.hasOwnProperty.call(message, "heartbeatAnswer")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.HeartbeatAnswer.verify(message.heartbeatAnswer, _depth + 1);
                        if (error)
                            return "heartbeatAnswer." + error;
                    }
                }
                if (message.enrolmentRequest != null && $Object.hasOwnProperty.call(message, "enrolmentRequest")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.EnrolmentRequest.verify(message.enrolmentRequest, _depth + 1);
                        if (error)
                            return "enrolmentRequest." + error;
                    }
                }
                if (message.enrolmentAnswer != null && $Object.hasOwnProperty.call(message, "enrolmentAnswer")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.EnrolmentAnswer.verify(message.enrolmentAnswer, _depth + 1);
                        if (error)
                            return "enrolmentAnswer." + error;
                    }
                }
                if (message.storePolicy != null && $Object.hasOwnProperty.call(message, "storePolicy")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.StorePolicy.verify(message.storePolicy, _depth + 1);
                        if (error)
                            return "storePolicy." + error;
                    }
                }
                if (message.authorizationRequest != null && $Object.hasOwnProperty.call(message, "authorizationRequest")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.AuthorizationRequest.verify(message.authorizationRequest, _depth + 1);
                        if (error)
                            return "authorizationRequest." + error;
                    }
                }
                if (message.authorizationAnswer != null && $Object.hasOwnProperty.call(message, "authorizationAnswer")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.AuthorizationAnswer.verify(message.authorizationAnswer, _depth + 1);
                        if (error)
                            return "authorizationAnswer." + error;
                    }
                }
                if (message.statusRequest != null && $Object.hasOwnProperty.call(message, "statusRequest")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.StatusRequest.verify(message.statusRequest, _depth + 1);
                        if (error)
                            return "statusRequest." + error;
                    }
                }
                if (message.statusAnswer != null && $Object.hasOwnProperty.call(message, "statusAnswer")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.StatusAnswer.verify(message.statusAnswer, _depth + 1);
                        if (error)
                            return "statusAnswer." + error;
                    }
                }
                if (message.reversal != null && $Object.hasOwnProperty.call(message, "reversal")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Reversal.verify(message.reversal, _depth + 1);
                        if (error)
                            return "reversal." + error;
                    }
                }
                if (message.offlineRecord != null && $Object.hasOwnProperty.call(message, "offlineRecord")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.OfflineRecord.verify(message.offlineRecord, _depth + 1);
                        if (error)
                            return "offlineRecord." + error;
                    }
                }
                if (message.capture != null && $Object.hasOwnProperty.call(message, "capture")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Capture.verify(message.capture, _depth + 1);
                        if (error)
                            return "capture." + error;
                    }
                }
                if (message.acknowledgement != null && $Object.hasOwnProperty.call(message, "acknowledgement")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Acknowledgement.verify(message.acknowledgement, _depth + 1);
                        if (error)
                            return "acknowledgement." + error;
                    }
                }
                if (message.parked != null && $Object.hasOwnProperty.call(message, "parked")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Parked.verify(message.parked, _depth + 1);
                        if (error)
                            return "parked." + error;
                    }
                }
                if (message.voiceAuthorization != null && $Object.hasOwnProperty.call(message, "voiceAuthorization")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.VoiceAuthorization.verify(message.voiceAuthorization, _depth + 1);
                        if (error)
                            return "voiceAuthorization." + error;
                    }
                }
                if (message.cancelIfUnseen != null && $Object.hasOwnProperty.call(message, "cancelIfUnseen")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.CancelIfUnseen.verify(message.cancelIfUnseen, _depth + 1);
                        if (error)
                            return "cancelIfUnseen." + error;
                    }
                }
                if (message.command != null && $Object.hasOwnProperty.call(message, "command")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.Command.verify(message.command, _depth + 1);
                        if (error)
                            return "command." + error;
                    }
                }
                if (message.commandResult != null && $Object.hasOwnProperty.call(message, "commandResult")) {
                    if (properties.body === 1)
                        return "body: multiple values";
                    properties.body = 1;
                    {
                        let error = $root.tillbridge.v1.CommandResult.verify(message.commandResult, _depth + 1);
                        if (error)
                            return "commandResult." + error;
                    }
                }
                return null;
            };

            /**
             * Creates an Envelope message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Envelope
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Envelope} Envelope
             */
            Envelope.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Envelope)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Envelope: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Envelope();
                if (object.id != null)
                    if (typeof object.id !== "string" || object.id.length)
                        message.id = $String(object.id);
                if (object.terminalId != null)
                    if (typeof object.terminalId !== "string" || object.terminalId.length)
                        message.terminalId = $String(object.terminalId);
                if (object.sequence != null)
                    if (typeof object.sequence === "object" ? object.sequence.low || object.sequence.high : $Number(object.sequence) !== 0)
                        if ($util.Long)
                            message.sequence = $util.Long.fromValue(object.sequence, true);
                        else if (typeof object.sequence === "string")
                            message.sequence = $parseInt(object.sequence, 10);
                        else if (typeof object.sequence === "number")
                            message.sequence = object.sequence;
                        else if (typeof object.sequence === "object")
                            message.sequence = new $util.LongBits(object.sequence.low >>> 0, object.sequence.high >>> 0).toNumber(true);
                if (object.challenge != null) {
                    if (!$util.isObject(object.challenge))
                        throw $TypeError(".tillbridge.v1.Envelope.challenge: object expected");
                    message.challenge = $root.tillbridge.v1.Challenge.fromObject(object.challenge, _depth + 1);
                }
                if (object.hello != null) {
                    if (!$util.isObject(object.hello))
                        throw $TypeError(".tillbridge.v1.Envelope.hello: object expected");
                    message.hello = $root.tillbridge.v1.Hello.fromObject(object.hello, _depth + 1);
                }
                if (object.welcome != null) {
                    if (!$util.isObject(object.welcome))
                        throw $TypeError(".tillbridge.v1.Envelope.welcome: object expected");
                    message.welcome = $root.tillbridge.v1.Welcome.fromObject(object.welcome, _depth + 1);
                }
                if (object.goodbye != null) {
                    if (!$util.isObject(object.goodbye))
                        throw $TypeError(".tillbridge.v1.Envelope.goodbye: object expected");
                    message.goodbye = $root.tillbridge.v1.Goodbye.fromObject(object.goodbye, _depth + 1);
                }
                if (object.heartbeat != null) {
                    if (!$util.isObject(object.heartbeat))
                        throw $TypeError(".tillbridge.v1.Envelope.heartbeat: object expected");
                    message.heartbeat = $root.tillbridge.v1.Heartbeat.fromObject(object.heartbeat, _depth + 1);
                }
                if (object.heartbeatAnswer != null) {
                    if (!$util.isObject(object.heartbeatAnswer))
                        throw $TypeError(".tillbridge.v1.Envelope.heartbeatAnswer: object expected");
                    message.heartbeatAnswer = $root.tillbridge.v1.HeartbeatAnswer.fromObject(object.heartbeatAnswer, _depth + 1);
                }
                if (object.enrolmentRequest != null) {
                    if (!$util.isObject(object.enrolmentRequest))
                        throw $TypeError(".tillbridge.v1.Envelope.enrolmentRequest: object expected");
                    message.enrolmentRequest = $root.tillbridge.v1.EnrolmentRequest.fromObject(object.enrolmentRequest, _depth + 1);
                }
                if (object.enrolmentAnswer != null) {
                    if (!$util.isObject(object.enrolmentAnswer))
                        throw $TypeError(".tillbridge.v1.Envelope.enrolmentAnswer: object expected");
                    message.enrolmentAnswer = $root.tillbridge.v1.EnrolmentAnswer.fromObject(object.enrolmentAnswer, _depth + 1);
                }
                if (object.storePolicy != null) {
                    if (!$util.isObject(object.storePolicy))
                        throw $TypeError(".tillbridge.v1.Envelope.storePolicy: object expected");
                    message.storePolicy = $root.tillbridge.v1.StorePolicy.fromObject(object.storePolicy, _depth + 1);
                }
                if (object.authorizationRequest != null) {
                    if (!$util.isObject(object.authorizationRequest))
                        throw $TypeError(".tillbridge.v1.Envelope.authorizationRequest: object expected");
                    message.authorizationRequest = $root.tillbridge.v1.AuthorizationRequest.fromObject(object.authorizationRequest, _depth + 1);
                }
                if (object.authorizationAnswer != null) {
                    if (!$util.isObject(object.authorizationAnswer))
                        throw $TypeError(".tillbridge.v1.Envelope.authorizationAnswer: object expected");
                    message.authorizationAnswer = $root.tillbridge.v1.AuthorizationAnswer.fromObject(object.authorizationAnswer, _depth + 1);
                }
                if (object.statusRequest != null) {
                    if (!$util.isObject(object.statusRequest))
                        throw $TypeError(".tillbridge.v1.Envelope.statusRequest: object expected");
                    message.statusRequest = $root.tillbridge.v1.StatusRequest.fromObject(object.statusRequest, _depth + 1);
                }
                if (object.statusAnswer != null) {
                    if (!$util.isObject(object.statusAnswer))
                        throw $TypeError(".tillbridge.v1.Envelope.statusAnswer: object expected");
                    message.statusAnswer = $root.tillbridge.v1.StatusAnswer.fromObject(object.statusAnswer, _depth + 1);
                }
                if (object.reversal != null) {
                    if (!$util.isObject(object.reversal))
                        throw $TypeError(".tillbridge.v1.Envelope.reversal: object expected");
                    message.reversal = $root.tillbridge.v1.Reversal.fromObject(object.reversal, _depth + 1);
                }
                if (object.offlineRecord != null) {
                    if (!$util.isObject(object.offlineRecord))
                        throw $TypeError(".tillbridge.v1.Envelope.offlineRecord: object expected");
                    message.offlineRecord = $root.tillbridge.v1.OfflineRecord.fromObject(object.offlineRecord, _depth + 1);
                }
                if (object.capture != null) {
                    if (!$util.isObject(object.capture))
                        throw $TypeError(".tillbridge.v1.Envelope.capture: object expected");
                    message.capture = $root.tillbridge.v1.Capture.fromObject(object.capture, _depth + 1);
                }
                if (object.acknowledgement != null) {
                    if (!$util.isObject(object.acknowledgement))
                        throw $TypeError(".tillbridge.v1.Envelope.acknowledgement: object expected");
                    message.acknowledgement = $root.tillbridge.v1.Acknowledgement.fromObject(object.acknowledgement, _depth + 1);
                }
                if (object.parked != null) {
                    if (!$util.isObject(object.parked))
                        throw $TypeError(".tillbridge.v1.Envelope.parked: object expected");
                    message.parked = $root.tillbridge.v1.Parked.fromObject(object.parked, _depth + 1);
                }
                if (object.voiceAuthorization != null) {
                    if (!$util.isObject(object.voiceAuthorization))
                        throw $TypeError(".tillbridge.v1.Envelope.voiceAuthorization: object expected");
                    message.voiceAuthorization = $root.tillbridge.v1.VoiceAuthorization.fromObject(object.voiceAuthorization, _depth + 1);
                }
                if (object.cancelIfUnseen != null) {
                    if (!$util.isObject(object.cancelIfUnseen))
                        throw $TypeError(".tillbridge.v1.Envelope.cancelIfUnseen: object expected");
                    message.cancelIfUnseen = $root.tillbridge.v1.CancelIfUnseen.fromObject(object.cancelIfUnseen, _depth + 1);
                }
                if (object.command != null) {
                    if (!$util.isObject(object.command))
                        throw $TypeError(".tillbridge.v1.Envelope.command: object expected");
                    message.command = $root.tillbridge.v1.Command.fromObject(object.command, _depth + 1);
                }
                if (object.commandResult != null) {
                    if (!$util.isObject(object.commandResult))
                        throw $TypeError(".tillbridge.v1.Envelope.commandResult: object expected");
                    message.commandResult = $root.tillbridge.v1.CommandResult.fromObject(object.commandResult, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from an Envelope message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Envelope
             * @static
             * @param {tillbridge.v1.Envelope} message Envelope
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Envelope.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.id = "";
                    object.terminalId = "";
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.sequence = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.sequence = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                }
                if (message.id != null && $Object.hasOwnProperty.call(message, "id"))
                    object.id = message.id;
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    object.terminalId = message.terminalId;
                if (message.sequence != null && $Object.hasOwnProperty.call(message, "sequence"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.sequence = typeof message.sequence === "number" ? $BigInt(message.sequence) : $util.Long.fromBits(message.sequence.low >>> 0, message.sequence.high >>> 0, true).toBigInt();
                    else if (typeof message.sequence === "number")
                        object.sequence = options.longs === $String ? $String(message.sequence) : message.sequence;
                    else
                        object.sequence = options.longs === $String ? $util.Long.prototype.toString.call(message.sequence) : options.longs === $Number ? new $util.LongBits(message.sequence.low >>> 0, message.sequence.high >>> 0).toNumber(true) : message.sequence;
                if (message.challenge != null && $Object.hasOwnProperty.call(message, "challenge")) {
                    object.challenge = $root.tillbridge.v1.Challenge.toObject(message.challenge, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "challenge";
                }
                if (message.hello != null && $Object.hasOwnProperty.call(message, "hello")) {
                    object.hello = $root.tillbridge.v1.Hello.toObject(message.hello, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "hello";
                }
                if (message.welcome != null && $Object.hasOwnProperty.call(message, "welcome")) {
                    object.welcome = $root.tillbridge.v1.Welcome.toObject(message.welcome, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "welcome";
                }
                if (message.goodbye != null && $Object.hasOwnProperty.call(message, "goodbye")) {
                    object.goodbye = $root.tillbridge.v1.Goodbye.toObject(message.goodbye, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "goodbye";
                }
                if (message.heartbeat != null && $Object.hasOwnProperty.call(message, "heartbeat")) {
                    object.heartbeat = $root.tillbridge.v1.Heartbeat.toObject(message.heartbeat, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "heartbeat";
                }
                if (message.heartbeatAnswer != null && $Object.hasOwnProperty.call(message, "heartbeatAnswer")) {
                    object.heartbeatAnswer = $root.tillbridge.v1.HeartbeatAnswer.toObject(message.heartbeatAnswer, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "heartbeatAnswer";
                }
                if (message.enrolmentRequest != null && $Object.hasOwnProperty.call(message, "enrolmentRequest")) {
                    object.enrolmentRequest = $root.tillbridge.v1.EnrolmentRequest.toObject(message.enrolmentRequest, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "enrolmentRequest";
                }
                if (message.enrolmentAnswer != null && $Object.hasOwnProperty.call(message, "enrolmentAnswer")) {
                    object.enrolmentAnswer = $root.tillbridge.v1.EnrolmentAnswer.toObject(message.enrolmentAnswer, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "enrolmentAnswer";
                }
                if (message.storePolicy != null && $Object.hasOwnProperty.call(message, "storePolicy")) {
                    object.storePolicy = $root.tillbridge.v1.StorePolicy.toObject(message.storePolicy, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "storePolicy";
                }
                if (message.authorizationRequest != null && $Object.hasOwnProperty.call(message, "authorizationRequest")) {
                    object.authorizationRequest = $root.tillbridge.v1.AuthorizationRequest.toObject(message.authorizationRequest, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "authorizationRequest";
                }
                if (message.authorizationAnswer != null && $Object.hasOwnProperty.call(message, "authorizationAnswer")) {
                    object.authorizationAnswer = $root.tillbridge.v1.AuthorizationAnswer.toObject(message.authorizationAnswer, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "authorizationAnswer";
                }
                if (message.statusRequest != null && $Object.hasOwnProperty.call(message, "statusRequest")) {
                    object.statusRequest = $root.tillbridge.v1.StatusRequest.toObject(message.statusRequest, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "statusRequest";
                }
                if (message.statusAnswer != null && $Object.hasOwnProperty.call(message, "statusAnswer")) {
                    object.statusAnswer = $root.tillbridge.v1.StatusAnswer.toObject(message.statusAnswer, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "statusAnswer";
                }
                if (message.reversal != null && $Object.hasOwnProperty.call(message, "reversal")) {
                    object.reversal = $root.tillbridge.v1.Reversal.toObject(message.reversal, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "reversal";
                }
                if (message.offlineRecord != null && $Object.hasOwnProperty.call(message, "offlineRecord")) {
                    object.offlineRecord = $root.tillbridge.v1.OfflineRecord.toObject(message.offlineRecord, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "offlineRecord";
                }
                if (message.capture != null && $Object.hasOwnProperty.call(message, "capture")) {
                    object.capture = $root.tillbridge.v1.Capture.toObject(message.capture, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "capture";
                }
                if (message.acknowledgement != null && $Object.hasOwnProperty.call(message, "acknowledgement")) {
                    object.acknowledgement = $root.tillbridge.v1.Acknowledgement.toObject(message.acknowledgement, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "acknowledgement";
                }
                if (message.parked != null && $Object.hasOwnProperty.call(message, "parked")) {
                    object.parked = $root.tillbridge.v1.Parked.toObject(message.parked, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "parked";
                }
                if (message.voiceAuthorization != null && $Object.hasOwnProperty.call(message, "voiceAuthorization")) {
                    object.voiceAuthorization = $root.tillbridge.v1.VoiceAuthorization.toObject(message.voiceAuthorization, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "voiceAuthorization";
                }
                if (message.cancelIfUnseen != null && $Object.hasOwnProperty.call(message, "cancelIfUnseen")) {
                    object.cancelIfUnseen = $root.tillbridge.v1.CancelIfUnseen.toObject(message.cancelIfUnseen, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "cancelIfUnseen";
                }
                if (message.command != null && $Object.hasOwnProperty.call(message, "command")) {
                    object.command = $root.tillbridge.v1.Command.toObject(message.command, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "command";
                }
                if (message.commandResult != null && $Object.hasOwnProperty.call(message, "commandResult")) {
                    object.commandResult = $root.tillbridge.v1.CommandResult.toObject(message.commandResult, options, _depth + 1);
                    if (options.oneofs)
                        object.body = "commandResult";
                }
                return object;
            };

            /**
             * Converts this Envelope to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Envelope
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Envelope.prototype.toJSON = function() {
                return Envelope.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Envelope
             * @function getTypeUrl
             * @memberof tillbridge.v1.Envelope
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Envelope.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Envelope";
            };

            return Envelope;
        })();

        v1.Challenge = (function() {

            /**
             * Properties of a Challenge.
             * @typedef {Object} tillbridge.v1.Challenge.$Properties
             * @property {Uint8Array|null} [nonce] Challenge nonce
             * @property {number|null} [versionMin] Challenge versionMin
             * @property {number|null} [versionMax] Challenge versionMax
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Challenge.
             * @memberof tillbridge.v1
             * @interface IChallenge
             * @augments tillbridge.v1.Challenge.$Properties
             * @deprecated Use tillbridge.v1.Challenge.$Properties instead.
             */

            /**
             * Shape of a Challenge.
             * @typedef {tillbridge.v1.Challenge.$Properties} tillbridge.v1.Challenge.$Shape
             */

            /**
             * Constructs a new Challenge.
             * @memberof tillbridge.v1
             * @classdesc Represents a Challenge.
             * @constructor
             * @param {tillbridge.v1.Challenge.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Challenge = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Challenge nonce.
             * @member {Uint8Array} nonce
             * @memberof tillbridge.v1.Challenge
             * @instance
             */
            Challenge.prototype.nonce = $util.newBuffer([]);

            /**
             * Challenge versionMin.
             * @member {number} versionMin
             * @memberof tillbridge.v1.Challenge
             * @instance
             */
            Challenge.prototype.versionMin = 0;

            /**
             * Challenge versionMax.
             * @member {number} versionMax
             * @memberof tillbridge.v1.Challenge
             * @instance
             */
            Challenge.prototype.versionMax = 0;

            /**
             * Encodes the specified Challenge message. Does not implicitly {@link tillbridge.v1.Challenge.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Challenge
             * @static
             * @param {tillbridge.v1.Challenge.$Properties} message Challenge message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Challenge.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce") && message.nonce.length)
                    writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.nonce);
                if (message.versionMin != null && $Object.hasOwnProperty.call(message, "versionMin") && message.versionMin !== 0)
                    writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.versionMin);
                if (message.versionMax != null && $Object.hasOwnProperty.call(message, "versionMax") && message.versionMax !== 0)
                    writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.versionMax);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Challenge message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Challenge
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Challenge & tillbridge.v1.Challenge.$Shape} Challenge
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Challenge.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Challenge();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.nonce = value;
                            else
                                delete message.nonce;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.versionMin = value;
                            else
                                delete message.versionMin;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.versionMax = value;
                            else
                                delete message.versionMax;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Challenge message.
             * @function verify
             * @memberof tillbridge.v1.Challenge
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Challenge.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce"))
                    if (!(message.nonce && typeof message.nonce.length === "number" || $util.isString(message.nonce)))
                        return "nonce: buffer expected";
                if (message.versionMin != null && $Object.hasOwnProperty.call(message, "versionMin"))
                    if (!$util.isInteger(message.versionMin))
                        return "versionMin: integer expected";
                if (message.versionMax != null && $Object.hasOwnProperty.call(message, "versionMax"))
                    if (!$util.isInteger(message.versionMax))
                        return "versionMax: integer expected";
                return null;
            };

            /**
             * Creates a Challenge message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Challenge
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Challenge} Challenge
             */
            Challenge.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Challenge)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Challenge: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Challenge();
                if (object.nonce != null)
                    if (object.nonce.length)
                        if (typeof object.nonce === "string")
                            $util.base64.decode(object.nonce, message.nonce = $util.newBuffer($util.base64.length(object.nonce)), 0);
                        else if (object.nonce.length >= 0)
                            message.nonce = object.nonce;
                if (object.versionMin != null)
                    if ($Number(object.versionMin) !== 0)
                        message.versionMin = object.versionMin >>> 0;
                if (object.versionMax != null)
                    if ($Number(object.versionMax) !== 0)
                        message.versionMax = object.versionMax >>> 0;
                return message;
            };

            /**
             * Creates a plain object from a Challenge message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Challenge
             * @static
             * @param {tillbridge.v1.Challenge} message Challenge
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Challenge.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    if (options.bytes === $String)
                        object.nonce = "";
                    else {
                        object.nonce = [];
                        if (options.bytes !== $Array)
                            object.nonce = $util.newBuffer(object.nonce);
                    }
                    object.versionMin = 0;
                    object.versionMax = 0;
                }
                if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce"))
                    object.nonce = options.bytes === $String ? $util.base64.encode(message.nonce, 0, message.nonce.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.nonce) : message.nonce;
                if (message.versionMin != null && $Object.hasOwnProperty.call(message, "versionMin"))
                    object.versionMin = message.versionMin;
                if (message.versionMax != null && $Object.hasOwnProperty.call(message, "versionMax"))
                    object.versionMax = message.versionMax;
                return object;
            };

            /**
             * Converts this Challenge to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Challenge
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Challenge.prototype.toJSON = function() {
                return Challenge.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Challenge
             * @function getTypeUrl
             * @memberof tillbridge.v1.Challenge
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Challenge.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Challenge";
            };

            return Challenge;
        })();

        v1.Hello = (function() {

            /**
             * Properties of a Hello.
             * @typedef {Object} tillbridge.v1.Hello.$Properties
             * @property {string|null} [agentId] Hello agentId
             * @property {string|null} [bootId] Hello bootId
             * @property {number|null} [generation] Hello generation
             * @property {number|null} [versionMin] Hello versionMin
             * @property {number|null} [versionMax] Hello versionMax
             * @property {Uint8Array|null} [signature] Hello signature
             * @property {string|null} [software] Hello software
             * @property {Array.<tillbridge.v1.StreamPosition.$Properties>|null} [streams] Hello streams
             * @property {Array.<tillbridge.v1.TerminalStatus.$Properties>|null} [terminals] Hello terminals
             * @property {Uint8Array|null} [nonce] Hello nonce
             * @property {string|null} [channel] Hello channel
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Hello.
             * @memberof tillbridge.v1
             * @interface IHello
             * @augments tillbridge.v1.Hello.$Properties
             * @deprecated Use tillbridge.v1.Hello.$Properties instead.
             */

            /**
             * Shape of a Hello.
             * @typedef {tillbridge.v1.Hello.$Properties} tillbridge.v1.Hello.$Shape
             */

            /**
             * Constructs a new Hello.
             * @memberof tillbridge.v1
             * @classdesc Represents a Hello.
             * @constructor
             * @param {tillbridge.v1.Hello.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Hello = function (properties) {
                this.streams = [];
                this.terminals = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Hello agentId.
             * @member {string} agentId
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.agentId = "";

            /**
             * Hello bootId.
             * @member {string} bootId
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.bootId = "";

            /**
             * Hello generation.
             * @member {number} generation
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.generation = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Hello versionMin.
             * @member {number} versionMin
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.versionMin = 0;

            /**
             * Hello versionMax.
             * @member {number} versionMax
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.versionMax = 0;

            /**
             * Hello signature.
             * @member {Uint8Array} signature
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.signature = $util.newBuffer([]);

            /**
             * Hello software.
             * @member {string} software
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.software = "";

            /**
             * Hello streams.
             * @member {Array.<tillbridge.v1.StreamPosition.$Properties>} streams
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.streams = $util.emptyArray;

            /**
             * Hello terminals.
             * @member {Array.<tillbridge.v1.TerminalStatus.$Properties>} terminals
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.terminals = $util.emptyArray;

            /**
             * Hello nonce.
             * @member {Uint8Array} nonce
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.nonce = $util.newBuffer([]);

            /**
             * Hello channel.
             * @member {string} channel
             * @memberof tillbridge.v1.Hello
             * @instance
             */
            Hello.prototype.channel = "";

            /**
             * Encodes the specified Hello message. Does not implicitly {@link tillbridge.v1.Hello.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Hello
             * @static
             * @param {tillbridge.v1.Hello.$Properties} message Hello message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Hello.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId") && message.agentId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.agentId);
                if (message.bootId != null && $Object.hasOwnProperty.call(message, "bootId") && message.bootId !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.bootId);
                if (message.generation != null && $Object.hasOwnProperty.call(message, "generation") && (typeof message.generation === "object" ? message.generation.low || message.generation.high : message.generation !== 0))
                    writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.generation);
                if (message.versionMin != null && $Object.hasOwnProperty.call(message, "versionMin") && message.versionMin !== 0)
                    writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.versionMin);
                if (message.versionMax != null && $Object.hasOwnProperty.call(message, "versionMax") && message.versionMax !== 0)
                    writer.uint32(/* id 5, wireType 0 =*/40).uint32(message.versionMax);
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature") && message.signature.length)
                    writer.uint32(/* id 6, wireType 2 =*/50).bytes(message.signature);
                if (message.software != null && $Object.hasOwnProperty.call(message, "software") && message.software !== "")
                    writer.uint32(/* id 7, wireType 2 =*/58).string(message.software);
                if (message.streams != null && message.streams.length)
                    for (let i = 0; i < message.streams.length; ++i)
                        $root.tillbridge.v1.StreamPosition.encode(message.streams[i], writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
                if (message.terminals != null && message.terminals.length)
                    for (let i = 0; i < message.terminals.length; ++i)
                        $root.tillbridge.v1.TerminalStatus.encode(message.terminals[i], writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
                if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce") && message.nonce.length)
                    writer.uint32(/* id 10, wireType 2 =*/82).bytes(message.nonce);
                if (message.channel != null && $Object.hasOwnProperty.call(message, "channel") && message.channel !== "")
                    writer.uint32(/* id 11, wireType 2 =*/90).string(message.channel);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Hello message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Hello
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Hello & tillbridge.v1.Hello.$Shape} Hello
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Hello.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Hello();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.agentId = value;
                            else
                                delete message.agentId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.bootId = value;
                            else
                                delete message.bootId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.generation = value;
                            else
                                delete message.generation;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.versionMin = value;
                            else
                                delete message.versionMin;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.versionMax = value;
                            else
                                delete message.versionMax;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.signature = value;
                            else
                                delete message.signature;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.software = value;
                            else
                                delete message.software;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if (!(message.streams && message.streams.length))
                                message.streams = [];
                            message.streams.push($root.tillbridge.v1.StreamPosition.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            if (!(message.terminals && message.terminals.length))
                                message.terminals = [];
                            message.terminals.push($root.tillbridge.v1.TerminalStatus.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.nonce = value;
                            else
                                delete message.nonce;
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.channel = value;
                            else
                                delete message.channel;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Hello message.
             * @function verify
             * @memberof tillbridge.v1.Hello
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Hello.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId"))
                    if (!$util.isString(message.agentId))
                        return "agentId: string expected";
                if (message.bootId != null && $Object.hasOwnProperty.call(message, "bootId"))
                    if (!$util.isString(message.bootId))
                        return "bootId: string expected";
                if (message.generation != null && $Object.hasOwnProperty.call(message, "generation"))
                    if (!$util.isInteger(message.generation) && !(message.generation && $util.isInteger(message.generation.low) && $util.isInteger(message.generation.high)))
                        return "generation: integer|Long expected";
                if (message.versionMin != null && $Object.hasOwnProperty.call(message, "versionMin"))
                    if (!$util.isInteger(message.versionMin))
                        return "versionMin: integer expected";
                if (message.versionMax != null && $Object.hasOwnProperty.call(message, "versionMax"))
                    if (!$util.isInteger(message.versionMax))
                        return "versionMax: integer expected";
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    if (!(message.signature && typeof message.signature.length === "number" || $util.isString(message.signature)))
                        return "signature: buffer expected";
                if (message.software != null && $Object.hasOwnProperty.call(message, "software"))
                    if (!$util.isString(message.software))
                        return "software: string expected";
                if (message.streams != null && $Object.hasOwnProperty.call(message, "streams")) {
                    if (!$Array.isArray(message.streams))
                        return "streams: array expected";
                    for (let i = 0; i < message.streams.length; ++i) {
                        let error = $root.tillbridge.v1.StreamPosition.verify(message.streams[i], _depth + 1);
                        if (error)
                            return "streams." + error;
                    }
                }
                if (message.terminals != null && $Object.hasOwnProperty.call(message, "terminals")) {
                    if (!$Array.isArray(message.terminals))
                        return "terminals: array expected";
                    for (let i = 0; i < message.terminals.length; ++i) {
                        let error = $root.tillbridge.v1.TerminalStatus.verify(message.terminals[i], _depth + 1);
                        if (error)
                            return "terminals." + error;
                    }
                }
                if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce"))
                    if (!(message.nonce && typeof message.nonce.length === "number" || $util.isString(message.nonce)))
                        return "nonce: buffer expected";
                if (message.channel != null && $Object.hasOwnProperty.call(message, "channel"))
                    if (!$util.isString(message.channel))
                        return "channel: string expected";
                return null;
            };

            /**
             * Creates a Hello message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Hello
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Hello} Hello
             */
            Hello.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Hello)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Hello: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Hello();
                if (object.agentId != null)
                    if (typeof object.agentId !== "string" || object.agentId.length)
                        message.agentId = $String(object.agentId);
                if (object.bootId != null)
                    if (typeof object.bootId !== "string" || object.bootId.length)
                        message.bootId = $String(object.bootId);
                if (object.generation != null)
                    if (typeof object.generation === "object" ? object.generation.low || object.generation.high : $Number(object.generation) !== 0)
                        if ($util.Long)
                            message.generation = $util.Long.fromValue(object.generation, true);
                        else if (typeof object.generation === "string")
                            message.generation = $parseInt(object.generation, 10);
                        else if (typeof object.generation === "number")
                            message.generation = object.generation;
                        else if (typeof object.generation === "object")
                            message.generation = new $util.LongBits(object.generation.low >>> 0, object.generation.high >>> 0).toNumber(true);
                if (object.versionMin != null)
                    if ($Number(object.versionMin) !== 0)
                        message.versionMin = object.versionMin >>> 0;
                if (object.versionMax != null)
                    if ($Number(object.versionMax) !== 0)
                        message.versionMax = object.versionMax >>> 0;
                if (object.signature != null)
                    if (object.signature.length)
                        if (typeof object.signature === "string")
                            $util.base64.decode(object.signature, message.signature = $util.newBuffer($util.base64.length(object.signature)), 0);
                        else if (object.signature.length >= 0)
                            message.signature = object.signature;
                if (object.software != null)
                    if (typeof object.software !== "string" || object.software.length)
                        message.software = $String(object.software);
                if (object.streams) {
                    if (!$Array.isArray(object.streams))
                        throw $TypeError(".tillbridge.v1.Hello.streams: array expected");
                    message.streams = $Array(object.streams.length);
                    for (let i = 0; i < object.streams.length; ++i) {
                        if (!$util.isObject(object.streams[i]))
                            throw $TypeError(".tillbridge.v1.Hello.streams: object expected");
                        message.streams[i] = $root.tillbridge.v1.StreamPosition.fromObject(object.streams[i], _depth + 1);
                    }
                }
                if (object.terminals) {
                    if (!$Array.isArray(object.terminals))
                        throw $TypeError(".tillbridge.v1.Hello.terminals: array expected");
                    message.terminals = $Array(object.terminals.length);
                    for (let i = 0; i < object.terminals.length; ++i) {
                        if (!$util.isObject(object.terminals[i]))
                            throw $TypeError(".tillbridge.v1.Hello.terminals: object expected");
                        message.terminals[i] = $root.tillbridge.v1.TerminalStatus.fromObject(object.terminals[i], _depth + 1);
                    }
                }
                if (object.nonce != null)
                    if (object.nonce.length)
                        if (typeof object.nonce === "string")
                            $util.base64.decode(object.nonce, message.nonce = $util.newBuffer($util.base64.length(object.nonce)), 0);
                        else if (object.nonce.length >= 0)
                            message.nonce = object.nonce;
                if (object.channel != null)
                    if (typeof object.channel !== "string" || object.channel.length)
                        message.channel = $String(object.channel);
                return message;
            };

            /**
             * Creates a plain object from a Hello message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Hello
             * @static
             * @param {tillbridge.v1.Hello} message Hello
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Hello.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults) {
                    object.streams = [];
                    object.terminals = [];
                }
                if (options.defaults) {
                    object.agentId = "";
                    object.bootId = "";
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.generation = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.generation = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.versionMin = 0;
                    object.versionMax = 0;
                    if (options.bytes === $String)
                        object.signature = "";
                    else {
                        object.signature = [];
                        if (options.bytes !== $Array)
                            object.signature = $util.newBuffer(object.signature);
                    }
                    object.software = "";
                    if (options.bytes === $String)
                        object.nonce = "";
                    else {
                        object.nonce = [];
                        if (options.bytes !== $Array)
                            object.nonce = $util.newBuffer(object.nonce);
                    }
                    object.channel = "";
                }
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId"))
                    object.agentId = message.agentId;
                if (message.bootId != null && $Object.hasOwnProperty.call(message, "bootId"))
                    object.bootId = message.bootId;
                if (message.generation != null && $Object.hasOwnProperty.call(message, "generation"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.generation = typeof message.generation === "number" ? $BigInt(message.generation) : $util.Long.fromBits(message.generation.low >>> 0, message.generation.high >>> 0, true).toBigInt();
                    else if (typeof message.generation === "number")
                        object.generation = options.longs === $String ? $String(message.generation) : message.generation;
                    else
                        object.generation = options.longs === $String ? $util.Long.prototype.toString.call(message.generation) : options.longs === $Number ? new $util.LongBits(message.generation.low >>> 0, message.generation.high >>> 0).toNumber(true) : message.generation;
                if (message.versionMin != null && $Object.hasOwnProperty.call(message, "versionMin"))
                    object.versionMin = message.versionMin;
                if (message.versionMax != null && $Object.hasOwnProperty.call(message, "versionMax"))
                    object.versionMax = message.versionMax;
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    object.signature = options.bytes === $String ? $util.base64.encode(message.signature, 0, message.signature.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.signature) : message.signature;
                if (message.software != null && $Object.hasOwnProperty.call(message, "software"))
                    object.software = message.software;
                if (message.streams && message.streams.length) {
                    object.streams = $Array(message.streams.length);
                    for (let j = 0; j < message.streams.length; ++j)
                        object.streams[j] = $root.tillbridge.v1.StreamPosition.toObject(message.streams[j], options, _depth + 1);
                }
                if (message.terminals && message.terminals.length) {
                    object.terminals = $Array(message.terminals.length);
                    for (let j = 0; j < message.terminals.length; ++j)
                        object.terminals[j] = $root.tillbridge.v1.TerminalStatus.toObject(message.terminals[j], options, _depth + 1);
                }
                if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce"))
                    object.nonce = options.bytes === $String ? $util.base64.encode(message.nonce, 0, message.nonce.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.nonce) : message.nonce;
                if (message.channel != null && $Object.hasOwnProperty.call(message, "channel"))
                    object.channel = message.channel;
                return object;
            };

            /**
             * Converts this Hello to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Hello
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Hello.prototype.toJSON = function() {
                return Hello.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Hello
             * @function getTypeUrl
             * @memberof tillbridge.v1.Hello
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Hello.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Hello";
            };

            return Hello;
        })();

        v1.Welcome = (function() {

            /**
             * Properties of a Welcome.
             * @typedef {Object} tillbridge.v1.Welcome.$Properties
             * @property {number|null} [version] Welcome version
             * @property {number|null} [epoch] Welcome epoch
             * @property {number|null} [timeMs] Welcome timeMs
             * @property {number|null} [heartbeatIntervalMs] Welcome heartbeatIntervalMs
             * @property {Array.<tillbridge.v1.StreamPosition.$Properties>|null} [streams] Welcome streams
             * @property {number|null} [liveCredits] Welcome liveCredits
             * @property {number|null} [backlogCredits] Welcome backlogCredits
             * @property {tillbridge.v1.JournalHead.$Properties|null} [journalHead] Welcome journalHead
             * @property {tillbridge.v1.GatewayPins.$Properties|null} [pins] Welcome pins
             * @property {Uint8Array|null} [signature] Welcome signature
             * @property {tillbridge.v1.StorePolicy.$Properties|null} [policy] Welcome policy
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Welcome.
             * @memberof tillbridge.v1
             * @interface IWelcome
             * @augments tillbridge.v1.Welcome.$Properties
             * @deprecated Use tillbridge.v1.Welcome.$Properties instead.
             */

            /**
             * Shape of a Welcome.
             * @typedef {tillbridge.v1.Welcome.$Properties} tillbridge.v1.Welcome.$Shape
             */

            /**
             * Constructs a new Welcome.
             * @memberof tillbridge.v1
             * @classdesc Represents a Welcome.
             * @constructor
             * @param {tillbridge.v1.Welcome.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Welcome = function (properties) {
                this.streams = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Welcome version.
             * @member {number} version
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.version = 0;

            /**
             * Welcome epoch.
             * @member {number} epoch
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.epoch = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Welcome timeMs.
             * @member {number} timeMs
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.timeMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Welcome heartbeatIntervalMs.
             * @member {number} heartbeatIntervalMs
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.heartbeatIntervalMs = 0;

            /**
             * Welcome streams.
             * @member {Array.<tillbridge.v1.StreamPosition.$Properties>} streams
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.streams = $util.emptyArray;

            /**
             * Welcome liveCredits.
             * @member {number} liveCredits
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.liveCredits = 0;

            /**
             * Welcome backlogCredits.
             * @member {number} backlogCredits
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.backlogCredits = 0;

            /**
             * Welcome journalHead.
             * @member {tillbridge.v1.JournalHead.$Properties|null|undefined} journalHead
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.journalHead = null;

            /**
             * Welcome pins.
             * @member {tillbridge.v1.GatewayPins.$Properties|null|undefined} pins
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.pins = null;

            /**
             * Welcome signature.
             * @member {Uint8Array} signature
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.signature = $util.newBuffer([]);

            /**
             * Welcome policy.
             * @member {tillbridge.v1.StorePolicy.$Properties|null|undefined} policy
             * @memberof tillbridge.v1.Welcome
             * @instance
             */
            Welcome.prototype.policy = null;

            /**
             * Encodes the specified Welcome message. Does not implicitly {@link tillbridge.v1.Welcome.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Welcome
             * @static
             * @param {tillbridge.v1.Welcome.$Properties} message Welcome message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Welcome.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.version != null && $Object.hasOwnProperty.call(message, "version") && message.version !== 0)
                    writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.version);
                if (message.epoch != null && $Object.hasOwnProperty.call(message, "epoch") && (typeof message.epoch === "object" ? message.epoch.low || message.epoch.high : message.epoch !== 0))
                    writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.epoch);
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs") && (typeof message.timeMs === "object" ? message.timeMs.low || message.timeMs.high : message.timeMs !== 0))
                    writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.timeMs);
                if (message.heartbeatIntervalMs != null && $Object.hasOwnProperty.call(message, "heartbeatIntervalMs") && message.heartbeatIntervalMs !== 0)
                    writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.heartbeatIntervalMs);
                if (message.streams != null && message.streams.length)
                    for (let i = 0; i < message.streams.length; ++i)
                        $root.tillbridge.v1.StreamPosition.encode(message.streams[i], writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                if (message.liveCredits != null && $Object.hasOwnProperty.call(message, "liveCredits") && message.liveCredits !== 0)
                    writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.liveCredits);
                if (message.backlogCredits != null && $Object.hasOwnProperty.call(message, "backlogCredits") && message.backlogCredits !== 0)
                    writer.uint32(/* id 7, wireType 0 =*/56).uint32(message.backlogCredits);
                if (message.journalHead != null && $Object.hasOwnProperty.call(message, "journalHead"))
                    $root.tillbridge.v1.JournalHead.encode(message.journalHead, writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
                if (message.pins != null && $Object.hasOwnProperty.call(message, "pins"))
                    $root.tillbridge.v1.GatewayPins.encode(message.pins, writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature") && message.signature.length)
                    writer.uint32(/* id 10, wireType 2 =*/82).bytes(message.signature);
                if (message.policy != null && $Object.hasOwnProperty.call(message, "policy"))
                    $root.tillbridge.v1.StorePolicy.encode(message.policy, writer.uint32(/* id 11, wireType 2 =*/90).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Welcome message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Welcome
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Welcome & tillbridge.v1.Welcome.$Shape} Welcome
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Welcome.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Welcome();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.version = value;
                            else
                                delete message.version;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.epoch = value;
                            else
                                delete message.epoch;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeMs = value;
                            else
                                delete message.timeMs;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.heartbeatIntervalMs = value;
                            else
                                delete message.heartbeatIntervalMs;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if (!(message.streams && message.streams.length))
                                message.streams = [];
                            message.streams.push($root.tillbridge.v1.StreamPosition.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.liveCredits = value;
                            else
                                delete message.liveCredits;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.backlogCredits = value;
                            else
                                delete message.backlogCredits;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.journalHead = $root.tillbridge.v1.JournalHead.decode(reader, reader.size(), $undefined, _depth + 1, message.journalHead);
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            message.pins = $root.tillbridge.v1.GatewayPins.decode(reader, reader.size(), $undefined, _depth + 1, message.pins);
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.signature = value;
                            else
                                delete message.signature;
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            message.policy = $root.tillbridge.v1.StorePolicy.decode(reader, reader.size(), $undefined, _depth + 1, message.policy);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Welcome message.
             * @function verify
             * @memberof tillbridge.v1.Welcome
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Welcome.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.version != null && $Object.hasOwnProperty.call(message, "version"))
                    if (!$util.isInteger(message.version))
                        return "version: integer expected";
                if (message.epoch != null && $Object.hasOwnProperty.call(message, "epoch"))
                    if (!$util.isInteger(message.epoch) && !(message.epoch && $util.isInteger(message.epoch.low) && $util.isInteger(message.epoch.high)))
                        return "epoch: integer|Long expected";
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (!$util.isInteger(message.timeMs) && !(message.timeMs && $util.isInteger(message.timeMs.low) && $util.isInteger(message.timeMs.high)))
                        return "timeMs: integer|Long expected";
                if (message.heartbeatIntervalMs != null && $Object.hasOwnProperty.call(message, "heartbeatIntervalMs"))
                    if (!$util.isInteger(message.heartbeatIntervalMs))
                        return "heartbeatIntervalMs: integer expected";
                if (message.streams != null && $Object.hasOwnProperty.call(message, "streams")) {
                    if (!$Array.isArray(message.streams))
                        return "streams: array expected";
                    for (let i = 0; i < message.streams.length; ++i) {
                        let error = $root.tillbridge.v1.StreamPosition.verify(message.streams[i], _depth + 1);
                        if (error)
                            return "streams." + error;
                    }
                }
                if (message.liveCredits != null && $Object.hasOwnProperty.call(message, "liveCredits"))
                    if (!$util.isInteger(message.liveCredits))
                        return "liveCredits: integer expected";
                if (message.backlogCredits != null && $Object.hasOwnProperty.call(message, "backlogCredits"))
                    if (!$util.isInteger(message.backlogCredits))
                        return "backlogCredits: integer expected";
                if (message.journalHead != null && $Object.hasOwnProperty.call(message, "journalHead")) {
                    let error = $root.tillbridge.v1.JournalHead.verify(message.journalHead, _depth + 1);
                    if (error)
                        return "journalHead." + error;
                }
                if (message.pins != null && $Object.hasOwnProperty.call(message, "pins")) {
                    let error = $root.tillbridge.v1.GatewayPins.verify(message.pins, _depth + 1);
                    if (error)
                        return "pins." + error;
                }
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    if (!(message.signature && typeof message.signature.length === "number" || $util.isString(message.signature)))
                        return "signature: buffer expected";
                if (message.policy != null && $Object.hasOwnProperty.call(message, "policy")) {
                    let error = $root.tillbridge.v1.StorePolicy.verify(message.policy, _depth + 1);
                    if (error)
                        return "policy." + error;
                }
                return null;
            };

            /**
             * Creates a Welcome message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Welcome
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Welcome} Welcome
             */
            Welcome.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Welcome)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Welcome: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Welcome();
                if (object.version != null)
                    if ($Number(object.version) !== 0)
                        message.version = object.version >>> 0;
                if (object.epoch != null)
                    if (typeof object.epoch === "object" ? object.epoch.low || object.epoch.high : $Number(object.epoch) !== 0)
                        if ($util.Long)
                            message.epoch = $util.Long.fromValue(object.epoch, true);
                        else if (typeof object.epoch === "string")
                            message.epoch = $parseInt(object.epoch, 10);
                        else if (typeof object.epoch === "number")
                            message.epoch = object.epoch;
                        else if (typeof object.epoch === "object")
                            message.epoch = new $util.LongBits(object.epoch.low >>> 0, object.epoch.high >>> 0).toNumber(true);
                if (object.timeMs != null)
                    if (typeof object.timeMs === "object" ? object.timeMs.low || object.timeMs.high : $Number(object.timeMs) !== 0)
                        if ($util.Long)
                            message.timeMs = $util.Long.fromValue(object.timeMs, true);
                        else if (typeof object.timeMs === "string")
                            message.timeMs = $parseInt(object.timeMs, 10);
                        else if (typeof object.timeMs === "number")
                            message.timeMs = object.timeMs;
                        else if (typeof object.timeMs === "object")
                            message.timeMs = new $util.LongBits(object.timeMs.low >>> 0, object.timeMs.high >>> 0).toNumber(true);
                if (object.heartbeatIntervalMs != null)
                    if ($Number(object.heartbeatIntervalMs) !== 0)
                        message.heartbeatIntervalMs = object.heartbeatIntervalMs >>> 0;
                if (object.streams) {
                    if (!$Array.isArray(object.streams))
                        throw $TypeError(".tillbridge.v1.Welcome.streams: array expected");
                    message.streams = $Array(object.streams.length);
                    for (let i = 0; i < object.streams.length; ++i) {
                        if (!$util.isObject(object.streams[i]))
                            throw $TypeError(".tillbridge.v1.Welcome.streams: object expected");
                        message.streams[i] = $root.tillbridge.v1.StreamPosition.fromObject(object.streams[i], _depth + 1);
                    }
                }
                if (object.liveCredits != null)
                    if ($Number(object.liveCredits) !== 0)
                        message.liveCredits = object.liveCredits >>> 0;
                if (object.backlogCredits != null)
                    if ($Number(object.backlogCredits) !== 0)
                        message.backlogCredits = object.backlogCredits >>> 0;
                if (object.journalHead != null) {
                    if (!$util.isObject(object.journalHead))
                        throw $TypeError(".tillbridge.v1.Welcome.journalHead: object expected");
                    message.journalHead = $root.tillbridge.v1.JournalHead.fromObject(object.journalHead, _depth + 1);
                }
                if (object.pins != null) {
                    if (!$util.isObject(object.pins))
                        throw $TypeError(".tillbridge.v1.Welcome.pins: object expected");
                    message.pins = $root.tillbridge.v1.GatewayPins.fromObject(object.pins, _depth + 1);
                }
                if (object.signature != null)
                    if (object.signature.length)
                        if (typeof object.signature === "string")
                            $util.base64.decode(object.signature, message.signature = $util.newBuffer($util.base64.length(object.signature)), 0);
                        else if (object.signature.length >= 0)
                            message.signature = object.signature;
                if (object.policy != null) {
                    if (!$util.isObject(object.policy))
                        throw $TypeError(".tillbridge.v1.Welcome.policy: object expected");
                    message.policy = $root.tillbridge.v1.StorePolicy.fromObject(object.policy, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from a Welcome message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Welcome
             * @static
             * @param {tillbridge.v1.Welcome} message Welcome
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Welcome.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults)
                    object.streams = [];
                if (options.defaults) {
                    object.version = 0;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.epoch = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.epoch = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.timeMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.timeMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.heartbeatIntervalMs = 0;
                    object.liveCredits = 0;
                    object.backlogCredits = 0;
                    object.journalHead = null;
                    object.pins = null;
                    if (options.bytes === $String)
                        object.signature = "";
                    else {
                        object.signature = [];
                        if (options.bytes !== $Array)
                            object.signature = $util.newBuffer(object.signature);
                    }
                    object.policy = null;
                }
                if (message.version != null && $Object.hasOwnProperty.call(message, "version"))
                    object.version = message.version;
                if (message.epoch != null && $Object.hasOwnProperty.call(message, "epoch"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.epoch = typeof message.epoch === "number" ? $BigInt(message.epoch) : $util.Long.fromBits(message.epoch.low >>> 0, message.epoch.high >>> 0, true).toBigInt();
                    else if (typeof message.epoch === "number")
                        object.epoch = options.longs === $String ? $String(message.epoch) : message.epoch;
                    else
                        object.epoch = options.longs === $String ? $util.Long.prototype.toString.call(message.epoch) : options.longs === $Number ? new $util.LongBits(message.epoch.low >>> 0, message.epoch.high >>> 0).toNumber(true) : message.epoch;
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.timeMs = typeof message.timeMs === "number" ? $BigInt(message.timeMs) : $util.Long.fromBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0, true).toBigInt();
                    else if (typeof message.timeMs === "number")
                        object.timeMs = options.longs === $String ? $String(message.timeMs) : message.timeMs;
                    else
                        object.timeMs = options.longs === $String ? $util.Long.prototype.toString.call(message.timeMs) : options.longs === $Number ? new $util.LongBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0).toNumber(true) : message.timeMs;
                if (message.heartbeatIntervalMs != null && $Object.hasOwnProperty.call(message, "heartbeatIntervalMs"))
                    object.heartbeatIntervalMs = message.heartbeatIntervalMs;
                if (message.streams && message.streams.length) {
                    object.streams = $Array(message.streams.length);
                    for (let j = 0; j < message.streams.length; ++j)
                        object.streams[j] = $root.tillbridge.v1.StreamPosition.toObject(message.streams[j], options, _depth + 1);
                }
                if (message.liveCredits != null && $Object.hasOwnProperty.call(message, "liveCredits"))
                    object.liveCredits = message.liveCredits;
                if (message.backlogCredits != null && $Object.hasOwnProperty.call(message, "backlogCredits"))
                    object.backlogCredits = message.backlogCredits;
                if (message.journalHead != null && $Object.hasOwnProperty.call(message, "journalHead"))
                    object.journalHead = $root.tillbridge.v1.JournalHead.toObject(message.journalHead, options, _depth + 1);
                if (message.pins != null && $Object.hasOwnProperty.call(message, "pins"))
                    object.pins = $root.tillbridge.v1.GatewayPins.toObject(message.pins, options, _depth + 1);
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    object.signature = options.bytes === $String ? $util.base64.encode(message.signature, 0, message.signature.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.signature) : message.signature;
                if (message.policy != null && $Object.hasOwnProperty.call(message, "policy"))
                    object.policy = $root.tillbridge.v1.StorePolicy.toObject(message.policy, options, _depth + 1);
                return object;
            };

            /**
             * Converts this Welcome to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Welcome
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Welcome.prototype.toJSON = function() {
                return Welcome.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Welcome
             * @function getTypeUrl
             * @memberof tillbridge.v1.Welcome
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Welcome.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Welcome";
            };

            return Welcome;
        })();

        v1.StorePolicy = (function() {

            /**
             * Properties of a StorePolicy.
             * @typedef {Object} tillbridge.v1.StorePolicy.$Properties
             * @property {string|null} [agentId] StorePolicy agentId
             * @property {string|null} [entityId] StorePolicy entityId
             * @property {number|null} [version] StorePolicy version
             * @property {number|null} [timeMs] StorePolicy timeMs
             * @property {tillbridge.v1.OfflinePolicy.$Properties|null} [offline] StorePolicy offline
             * @property {boolean|null} [unlinkedRefunds] StorePolicy unlinkedRefunds
             * @property {Array.<tillbridge.v1.Money.$Properties>|null} [ceilings] StorePolicy ceilings
             * @property {Uint8Array|null} [signature] StorePolicy signature
             * @property {number|null} [maxTipPercent] StorePolicy maxTipPercent
             * @property {Array.<tillbridge.v1.Money.$Properties>|null} [cashBack] StorePolicy cashBack
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a StorePolicy.
             * @memberof tillbridge.v1
             * @interface IStorePolicy
             * @augments tillbridge.v1.StorePolicy.$Properties
             * @deprecated Use tillbridge.v1.StorePolicy.$Properties instead.
             */

            /**
             * Shape of a StorePolicy.
             * @typedef {tillbridge.v1.StorePolicy.$Properties} tillbridge.v1.StorePolicy.$Shape
             */

            /**
             * Constructs a new StorePolicy.
             * @memberof tillbridge.v1
             * @classdesc Represents a StorePolicy.
             * @constructor
             * @param {tillbridge.v1.StorePolicy.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const StorePolicy = function (properties) {
                this.ceilings = [];
                this.cashBack = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * StorePolicy agentId.
             * @member {string} agentId
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.agentId = "";

            /**
             * StorePolicy entityId.
             * @member {string} entityId
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.entityId = "";

            /**
             * StorePolicy version.
             * @member {number} version
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.version = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * StorePolicy timeMs.
             * @member {number} timeMs
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.timeMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * StorePolicy offline.
             * @member {tillbridge.v1.OfflinePolicy.$Properties|null|undefined} offline
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.offline = null;

            /**
             * StorePolicy unlinkedRefunds.
             * @member {boolean} unlinkedRefunds
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.unlinkedRefunds = false;

            /**
             * StorePolicy ceilings.
             * @member {Array.<tillbridge.v1.Money.$Properties>} ceilings
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.ceilings = $util.emptyArray;

            /**
             * StorePolicy signature.
             * @member {Uint8Array} signature
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.signature = $util.newBuffer([]);

            /**
             * StorePolicy maxTipPercent.
             * @member {number} maxTipPercent
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.maxTipPercent = 0;

            /**
             * StorePolicy cashBack.
             * @member {Array.<tillbridge.v1.Money.$Properties>} cashBack
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             */
            StorePolicy.prototype.cashBack = $util.emptyArray;

            /**
             * Encodes the specified StorePolicy message. Does not implicitly {@link tillbridge.v1.StorePolicy.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.StorePolicy
             * @static
             * @param {tillbridge.v1.StorePolicy.$Properties} message StorePolicy message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            StorePolicy.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId") && message.agentId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.agentId);
                if (message.entityId != null && $Object.hasOwnProperty.call(message, "entityId") && message.entityId !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.entityId);
                if (message.version != null && $Object.hasOwnProperty.call(message, "version") && (typeof message.version === "object" ? message.version.low || message.version.high : message.version !== 0))
                    writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.version);
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs") && (typeof message.timeMs === "object" ? message.timeMs.low || message.timeMs.high : message.timeMs !== 0))
                    writer.uint32(/* id 4, wireType 0 =*/32).uint64(message.timeMs);
                if (message.offline != null && $Object.hasOwnProperty.call(message, "offline"))
                    $root.tillbridge.v1.OfflinePolicy.encode(message.offline, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                if (message.unlinkedRefunds != null && $Object.hasOwnProperty.call(message, "unlinkedRefunds") && message.unlinkedRefunds !== false)
                    writer.uint32(/* id 6, wireType 0 =*/48).bool(message.unlinkedRefunds);
                if (message.ceilings != null && message.ceilings.length)
                    for (let i = 0; i < message.ceilings.length; ++i)
                        $root.tillbridge.v1.Money.encode(message.ceilings[i], writer.uint32(/* id 7, wireType 2 =*/58).fork(), _depth + 1).ldelim();
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature") && message.signature.length)
                    writer.uint32(/* id 8, wireType 2 =*/66).bytes(message.signature);
                if (message.maxTipPercent != null && $Object.hasOwnProperty.call(message, "maxTipPercent") && message.maxTipPercent !== 0)
                    writer.uint32(/* id 9, wireType 0 =*/72).uint32(message.maxTipPercent);
                if (message.cashBack != null && message.cashBack.length)
                    for (let i = 0; i < message.cashBack.length; ++i)
                        $root.tillbridge.v1.Money.encode(message.cashBack[i], writer.uint32(/* id 10, wireType 2 =*/82).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a StorePolicy message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.StorePolicy
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.StorePolicy & tillbridge.v1.StorePolicy.$Shape} StorePolicy
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            StorePolicy.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.StorePolicy();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.agentId = value;
                            else
                                delete message.agentId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.entityId = value;
                            else
                                delete message.entityId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.version = value;
                            else
                                delete message.version;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeMs = value;
                            else
                                delete message.timeMs;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.offline = $root.tillbridge.v1.OfflinePolicy.decode(reader, reader.size(), $undefined, _depth + 1, message.offline);
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.unlinkedRefunds = value;
                            else
                                delete message.unlinkedRefunds;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if (!(message.ceilings && message.ceilings.length))
                                message.ceilings = [];
                            message.ceilings.push($root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.signature = value;
                            else
                                delete message.signature;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.maxTipPercent = value;
                            else
                                delete message.maxTipPercent;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            if (!(message.cashBack && message.cashBack.length))
                                message.cashBack = [];
                            message.cashBack.push($root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a StorePolicy message.
             * @function verify
             * @memberof tillbridge.v1.StorePolicy
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            StorePolicy.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId"))
                    if (!$util.isString(message.agentId))
                        return "agentId: string expected";
                if (message.entityId != null && $Object.hasOwnProperty.call(message, "entityId"))
                    if (!$util.isString(message.entityId))
                        return "entityId: string expected";
                if (message.version != null && $Object.hasOwnProperty.call(message, "version"))
                    if (!$util.isInteger(message.version) && !(message.version && $util.isInteger(message.version.low) && $util.isInteger(message.version.high)))
                        return "version: integer|Long expected";
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (!$util.isInteger(message.timeMs) && !(message.timeMs && $util.isInteger(message.timeMs.low) && $util.isInteger(message.timeMs.high)))
                        return "timeMs: integer|Long expected";
                if (message.offline != null && $Object.hasOwnProperty.call(message, "offline")) {
                    let error = $root.tillbridge.v1.OfflinePolicy.verify(message.offline, _depth + 1);
                    if (error)
                        return "offline." + error;
                }
                if (message.unlinkedRefunds != null && $Object.hasOwnProperty.call(message, "unlinkedRefunds"))
                    if (typeof message.unlinkedRefunds !== "boolean")
                        return "unlinkedRefunds: boolean expected";
                if (message.ceilings != null && $Object.hasOwnProperty.call(message, "ceilings")) {
                    if (!$Array.isArray(message.ceilings))
                        return "ceilings: array expected";
                    for (let i = 0; i < message.ceilings.length; ++i) {
                        let error = $root.tillbridge.v1.Money.verify(message.ceilings[i], _depth + 1);
                        if (error)
                            return "ceilings." + error;
                    }
                }
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    if (!(message.signature && typeof message.signature.length === "number" || $util.isString(message.signature)))
                        return "signature: buffer expected";
                if (message.maxTipPercent != null && $Object.hasOwnProperty.call(message, "maxTipPercent"))
                    if (!$util.isInteger(message.maxTipPercent))
                        return "maxTipPercent: integer expected";
                if (message.cashBack != null && $Object.hasOwnProperty.call(message, "cashBack")) {
                    if (!$Array.isArray(message.cashBack))
                        return "cashBack: array expected";
                    for (let i = 0; i < message.cashBack.length; ++i) {
                        let error = $root.tillbridge.v1.Money.verify(message.cashBack[i], _depth + 1);
                        if (error)
                            return "cashBack." + error;
                    }
                }
                return null;
            };

            /**
             * Creates a StorePolicy message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.StorePolicy
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.StorePolicy} StorePolicy
             */
            StorePolicy.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.StorePolicy)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.StorePolicy: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.StorePolicy();
                if (object.agentId != null)
                    if (typeof object.agentId !== "string" || object.agentId.length)
                        message.agentId = $String(object.agentId);
                if (object.entityId != null)
                    if (typeof object.entityId !== "string" || object.entityId.length)
                        message.entityId = $String(object.entityId);
                if (object.version != null)
                    if (typeof object.version === "object" ? object.version.low || object.version.high : $Number(object.version) !== 0)
                        if ($util.Long)
                            message.version = $util.Long.fromValue(object.version, true);
                        else if (typeof object.version === "string")
                            message.version = $parseInt(object.version, 10);
                        else if (typeof object.version === "number")
                            message.version = object.version;
                        else if (typeof object.version === "object")
                            message.version = new $util.LongBits(object.version.low >>> 0, object.version.high >>> 0).toNumber(true);
                if (object.timeMs != null)
                    if (typeof object.timeMs === "object" ? object.timeMs.low || object.timeMs.high : $Number(object.timeMs) !== 0)
                        if ($util.Long)
                            message.timeMs = $util.Long.fromValue(object.timeMs, true);
                        else if (typeof object.timeMs === "string")
                            message.timeMs = $parseInt(object.timeMs, 10);
                        else if (typeof object.timeMs === "number")
                            message.timeMs = object.timeMs;
                        else if (typeof object.timeMs === "object")
                            message.timeMs = new $util.LongBits(object.timeMs.low >>> 0, object.timeMs.high >>> 0).toNumber(true);
                if (object.offline != null) {
                    if (!$util.isObject(object.offline))
                        throw $TypeError(".tillbridge.v1.StorePolicy.offline: object expected");
                    message.offline = $root.tillbridge.v1.OfflinePolicy.fromObject(object.offline, _depth + 1);
                }
                if (object.unlinkedRefunds != null)
                    if (object.unlinkedRefunds)
                        message.unlinkedRefunds = $Boolean(object.unlinkedRefunds);
                if (object.ceilings) {
                    if (!$Array.isArray(object.ceilings))
                        throw $TypeError(".tillbridge.v1.StorePolicy.ceilings: array expected");
                    message.ceilings = $Array(object.ceilings.length);
                    for (let i = 0; i < object.ceilings.length; ++i) {
                        if (!$util.isObject(object.ceilings[i]))
                            throw $TypeError(".tillbridge.v1.StorePolicy.ceilings: object expected");
                        message.ceilings[i] = $root.tillbridge.v1.Money.fromObject(object.ceilings[i], _depth + 1);
                    }
                }
                if (object.signature != null)
                    if (object.signature.length)
                        if (typeof object.signature === "string")
                            $util.base64.decode(object.signature, message.signature = $util.newBuffer($util.base64.length(object.signature)), 0);
                        else if (object.signature.length >= 0)
                            message.signature = object.signature;
                if (object.maxTipPercent != null)
                    if ($Number(object.maxTipPercent) !== 0)
                        message.maxTipPercent = object.maxTipPercent >>> 0;
                if (object.cashBack) {
                    if (!$Array.isArray(object.cashBack))
                        throw $TypeError(".tillbridge.v1.StorePolicy.cashBack: array expected");
                    message.cashBack = $Array(object.cashBack.length);
                    for (let i = 0; i < object.cashBack.length; ++i) {
                        if (!$util.isObject(object.cashBack[i]))
                            throw $TypeError(".tillbridge.v1.StorePolicy.cashBack: object expected");
                        message.cashBack[i] = $root.tillbridge.v1.Money.fromObject(object.cashBack[i], _depth + 1);
                    }
                }
                return message;
            };

            /**
             * Creates a plain object from a StorePolicy message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.StorePolicy
             * @static
             * @param {tillbridge.v1.StorePolicy} message StorePolicy
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            StorePolicy.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults) {
                    object.ceilings = [];
                    object.cashBack = [];
                }
                if (options.defaults) {
                    object.agentId = "";
                    object.entityId = "";
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.version = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.version = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.timeMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.timeMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.offline = null;
                    object.unlinkedRefunds = false;
                    if (options.bytes === $String)
                        object.signature = "";
                    else {
                        object.signature = [];
                        if (options.bytes !== $Array)
                            object.signature = $util.newBuffer(object.signature);
                    }
                    object.maxTipPercent = 0;
                }
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId"))
                    object.agentId = message.agentId;
                if (message.entityId != null && $Object.hasOwnProperty.call(message, "entityId"))
                    object.entityId = message.entityId;
                if (message.version != null && $Object.hasOwnProperty.call(message, "version"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.version = typeof message.version === "number" ? $BigInt(message.version) : $util.Long.fromBits(message.version.low >>> 0, message.version.high >>> 0, true).toBigInt();
                    else if (typeof message.version === "number")
                        object.version = options.longs === $String ? $String(message.version) : message.version;
                    else
                        object.version = options.longs === $String ? $util.Long.prototype.toString.call(message.version) : options.longs === $Number ? new $util.LongBits(message.version.low >>> 0, message.version.high >>> 0).toNumber(true) : message.version;
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.timeMs = typeof message.timeMs === "number" ? $BigInt(message.timeMs) : $util.Long.fromBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0, true).toBigInt();
                    else if (typeof message.timeMs === "number")
                        object.timeMs = options.longs === $String ? $String(message.timeMs) : message.timeMs;
                    else
                        object.timeMs = options.longs === $String ? $util.Long.prototype.toString.call(message.timeMs) : options.longs === $Number ? new $util.LongBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0).toNumber(true) : message.timeMs;
                if (message.offline != null && $Object.hasOwnProperty.call(message, "offline"))
                    object.offline = $root.tillbridge.v1.OfflinePolicy.toObject(message.offline, options, _depth + 1);
                if (message.unlinkedRefunds != null && $Object.hasOwnProperty.call(message, "unlinkedRefunds"))
                    object.unlinkedRefunds = message.unlinkedRefunds;
                if (message.ceilings && message.ceilings.length) {
                    object.ceilings = $Array(message.ceilings.length);
                    for (let j = 0; j < message.ceilings.length; ++j)
                        object.ceilings[j] = $root.tillbridge.v1.Money.toObject(message.ceilings[j], options, _depth + 1);
                }
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    object.signature = options.bytes === $String ? $util.base64.encode(message.signature, 0, message.signature.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.signature) : message.signature;
                if (message.maxTipPercent != null && $Object.hasOwnProperty.call(message, "maxTipPercent"))
                    object.maxTipPercent = message.maxTipPercent;
                if (message.cashBack && message.cashBack.length) {
                    object.cashBack = $Array(message.cashBack.length);
                    for (let j = 0; j < message.cashBack.length; ++j)
                        object.cashBack[j] = $root.tillbridge.v1.Money.toObject(message.cashBack[j], options, _depth + 1);
                }
                return object;
            };

            /**
             * Converts this StorePolicy to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.StorePolicy
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            StorePolicy.prototype.toJSON = function() {
                return StorePolicy.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for StorePolicy
             * @function getTypeUrl
             * @memberof tillbridge.v1.StorePolicy
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            StorePolicy.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.StorePolicy";
            };

            return StorePolicy;
        })();

        v1.OfflinePolicy = (function() {

            /**
             * Properties of an OfflinePolicy.
             * @typedef {Object} tillbridge.v1.OfflinePolicy.$Properties
             * @property {tillbridge.v1.OfflineBounds.$Properties|null} [general] OfflinePolicy general
             * @property {tillbridge.v1.OfflineBounds.$Properties|null} [deferred] OfflinePolicy deferred
             * @property {number|null} [maxAgeMs] OfflinePolicy maxAgeMs
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an OfflinePolicy.
             * @memberof tillbridge.v1
             * @interface IOfflinePolicy
             * @augments tillbridge.v1.OfflinePolicy.$Properties
             * @deprecated Use tillbridge.v1.OfflinePolicy.$Properties instead.
             */

            /**
             * Shape of an OfflinePolicy.
             * @typedef {tillbridge.v1.OfflinePolicy.$Properties} tillbridge.v1.OfflinePolicy.$Shape
             */

            /**
             * Constructs a new OfflinePolicy.
             * @memberof tillbridge.v1
             * @classdesc Represents an OfflinePolicy.
             * @constructor
             * @param {tillbridge.v1.OfflinePolicy.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const OfflinePolicy = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * OfflinePolicy general.
             * @member {tillbridge.v1.OfflineBounds.$Properties|null|undefined} general
             * @memberof tillbridge.v1.OfflinePolicy
             * @instance
             */
            OfflinePolicy.prototype.general = null;

            /**
             * OfflinePolicy deferred.
             * @member {tillbridge.v1.OfflineBounds.$Properties|null|undefined} deferred
             * @memberof tillbridge.v1.OfflinePolicy
             * @instance
             */
            OfflinePolicy.prototype.deferred = null;

            /**
             * OfflinePolicy maxAgeMs.
             * @member {number} maxAgeMs
             * @memberof tillbridge.v1.OfflinePolicy
             * @instance
             */
            OfflinePolicy.prototype.maxAgeMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Encodes the specified OfflinePolicy message. Does not implicitly {@link tillbridge.v1.OfflinePolicy.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.OfflinePolicy
             * @static
             * @param {tillbridge.v1.OfflinePolicy.$Properties} message OfflinePolicy message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            OfflinePolicy.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.general != null && $Object.hasOwnProperty.call(message, "general"))
                    $root.tillbridge.v1.OfflineBounds.encode(message.general, writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
                if (message.deferred != null && $Object.hasOwnProperty.call(message, "deferred"))
                    $root.tillbridge.v1.OfflineBounds.encode(message.deferred, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                if (message.maxAgeMs != null && $Object.hasOwnProperty.call(message, "maxAgeMs") && (typeof message.maxAgeMs === "object" ? message.maxAgeMs.low || message.maxAgeMs.high : message.maxAgeMs !== 0))
                    writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.maxAgeMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an OfflinePolicy message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.OfflinePolicy
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.OfflinePolicy & tillbridge.v1.OfflinePolicy.$Shape} OfflinePolicy
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            OfflinePolicy.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.OfflinePolicy();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            message.general = $root.tillbridge.v1.OfflineBounds.decode(reader, reader.size(), $undefined, _depth + 1, message.general);
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.deferred = $root.tillbridge.v1.OfflineBounds.decode(reader, reader.size(), $undefined, _depth + 1, message.deferred);
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.maxAgeMs = value;
                            else
                                delete message.maxAgeMs;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an OfflinePolicy message.
             * @function verify
             * @memberof tillbridge.v1.OfflinePolicy
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            OfflinePolicy.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.general != null && $Object.hasOwnProperty.call(message, "general")) {
                    let error = $root.tillbridge.v1.OfflineBounds.verify(message.general, _depth + 1);
                    if (error)
                        return "general." + error;
                }
                if (message.deferred != null && $Object.hasOwnProperty.call(message, "deferred")) {
                    let error = $root.tillbridge.v1.OfflineBounds.verify(message.deferred, _depth + 1);
                    if (error)
                        return "deferred." + error;
                }
                if (message.maxAgeMs != null && $Object.hasOwnProperty.call(message, "maxAgeMs"))
                    if (!$util.isInteger(message.maxAgeMs) && !(message.maxAgeMs && $util.isInteger(message.maxAgeMs.low) && $util.isInteger(message.maxAgeMs.high)))
                        return "maxAgeMs: integer|Long expected";
                return null;
            };

            /**
             * Creates an OfflinePolicy message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.OfflinePolicy
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.OfflinePolicy} OfflinePolicy
             */
            OfflinePolicy.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.OfflinePolicy)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.OfflinePolicy: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.OfflinePolicy();
                if (object.general != null) {
                    if (!$util.isObject(object.general))
                        throw $TypeError(".tillbridge.v1.OfflinePolicy.general: object expected");
                    message.general = $root.tillbridge.v1.OfflineBounds.fromObject(object.general, _depth + 1);
                }
                if (object.deferred != null) {
                    if (!$util.isObject(object.deferred))
                        throw $TypeError(".tillbridge.v1.OfflinePolicy.deferred: object expected");
                    message.deferred = $root.tillbridge.v1.OfflineBounds.fromObject(object.deferred, _depth + 1);
                }
                if (object.maxAgeMs != null)
                    if (typeof object.maxAgeMs === "object" ? object.maxAgeMs.low || object.maxAgeMs.high : $Number(object.maxAgeMs) !== 0)
                        if ($util.Long)
                            message.maxAgeMs = $util.Long.fromValue(object.maxAgeMs, true);
                        else if (typeof object.maxAgeMs === "string")
                            message.maxAgeMs = $parseInt(object.maxAgeMs, 10);
                        else if (typeof object.maxAgeMs === "number")
                            message.maxAgeMs = object.maxAgeMs;
                        else if (typeof object.maxAgeMs === "object")
                            message.maxAgeMs = new $util.LongBits(object.maxAgeMs.low >>> 0, object.maxAgeMs.high >>> 0).toNumber(true);
                return message;
            };

            /**
             * Creates a plain object from an OfflinePolicy message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.OfflinePolicy
             * @static
             * @param {tillbridge.v1.OfflinePolicy} message OfflinePolicy
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            OfflinePolicy.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.general = null;
                    object.deferred = null;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.maxAgeMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.maxAgeMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                }
                if (message.general != null && $Object.hasOwnProperty.call(message, "general"))
                    object.general = $root.tillbridge.v1.OfflineBounds.toObject(message.general, options, _depth + 1);
                if (message.deferred != null && $Object.hasOwnProperty.call(message, "deferred"))
                    object.deferred = $root.tillbridge.v1.OfflineBounds.toObject(message.deferred, options, _depth + 1);
                if (message.maxAgeMs != null && $Object.hasOwnProperty.call(message, "maxAgeMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.maxAgeMs = typeof message.maxAgeMs === "number" ? $BigInt(message.maxAgeMs) : $util.Long.fromBits(message.maxAgeMs.low >>> 0, message.maxAgeMs.high >>> 0, true).toBigInt();
                    else if (typeof message.maxAgeMs === "number")
                        object.maxAgeMs = options.longs === $String ? $String(message.maxAgeMs) : message.maxAgeMs;
                    else
                        object.maxAgeMs = options.longs === $String ? $util.Long.prototype.toString.call(message.maxAgeMs) : options.longs === $Number ? new $util.LongBits(message.maxAgeMs.low >>> 0, message.maxAgeMs.high >>> 0).toNumber(true) : message.maxAgeMs;
                return object;
            };

            /**
             * Converts this OfflinePolicy to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.OfflinePolicy
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            OfflinePolicy.prototype.toJSON = function() {
                return OfflinePolicy.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for OfflinePolicy
             * @function getTypeUrl
             * @memberof tillbridge.v1.OfflinePolicy
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            OfflinePolicy.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.OfflinePolicy";
            };

            return OfflinePolicy;
        })();

        v1.OfflineBounds = (function() {

            /**
             * Properties of an OfflineBounds.
             * @typedef {Object} tillbridge.v1.OfflineBounds.$Properties
             * @property {number|null} [maxCount] OfflineBounds maxCount
             * @property {Array.<tillbridge.v1.OfflineLimit.$Properties>|null} [limits] OfflineBounds limits
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an OfflineBounds.
             * @memberof tillbridge.v1
             * @interface IOfflineBounds
             * @augments tillbridge.v1.OfflineBounds.$Properties
             * @deprecated Use tillbridge.v1.OfflineBounds.$Properties instead.
             */

            /**
             * Shape of an OfflineBounds.
             * @typedef {tillbridge.v1.OfflineBounds.$Properties} tillbridge.v1.OfflineBounds.$Shape
             */

            /**
             * Constructs a new OfflineBounds.
             * @memberof tillbridge.v1
             * @classdesc Represents an OfflineBounds.
             * @constructor
             * @param {tillbridge.v1.OfflineBounds.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const OfflineBounds = function (properties) {
                this.limits = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * OfflineBounds maxCount.
             * @member {number} maxCount
             * @memberof tillbridge.v1.OfflineBounds
             * @instance
             */
            OfflineBounds.prototype.maxCount = 0;

            /**
             * OfflineBounds limits.
             * @member {Array.<tillbridge.v1.OfflineLimit.$Properties>} limits
             * @memberof tillbridge.v1.OfflineBounds
             * @instance
             */
            OfflineBounds.prototype.limits = $util.emptyArray;

            /**
             * Encodes the specified OfflineBounds message. Does not implicitly {@link tillbridge.v1.OfflineBounds.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.OfflineBounds
             * @static
             * @param {tillbridge.v1.OfflineBounds.$Properties} message OfflineBounds message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            OfflineBounds.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.maxCount != null && $Object.hasOwnProperty.call(message, "maxCount") && message.maxCount !== 0)
                    writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.maxCount);
                if (message.limits != null && message.limits.length)
                    for (let i = 0; i < message.limits.length; ++i)
                        $root.tillbridge.v1.OfflineLimit.encode(message.limits[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an OfflineBounds message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.OfflineBounds
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.OfflineBounds & tillbridge.v1.OfflineBounds.$Shape} OfflineBounds
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            OfflineBounds.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.OfflineBounds();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.maxCount = value;
                            else
                                delete message.maxCount;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.limits && message.limits.length))
                                message.limits = [];
                            message.limits.push($root.tillbridge.v1.OfflineLimit.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an OfflineBounds message.
             * @function verify
             * @memberof tillbridge.v1.OfflineBounds
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            OfflineBounds.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.maxCount != null && $Object.hasOwnProperty.call(message, "maxCount"))
                    if (!$util.isInteger(message.maxCount))
                        return "maxCount: integer expected";
                if (message.limits != null && $Object.hasOwnProperty.call(message, "limits")) {
                    if (!$Array.isArray(message.limits))
                        return "limits: array expected";
                    for (let i = 0; i < message.limits.length; ++i) {
                        let error = $root.tillbridge.v1.OfflineLimit.verify(message.limits[i], _depth + 1);
                        if (error)
                            return "limits." + error;
                    }
                }
                return null;
            };

            /**
             * Creates an OfflineBounds message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.OfflineBounds
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.OfflineBounds} OfflineBounds
             */
            OfflineBounds.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.OfflineBounds)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.OfflineBounds: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.OfflineBounds();
                if (object.maxCount != null)
                    if ($Number(object.maxCount) !== 0)
                        message.maxCount = object.maxCount >>> 0;
                if (object.limits) {
                    if (!$Array.isArray(object.limits))
                        throw $TypeError(".tillbridge.v1.OfflineBounds.limits: array expected");
                    message.limits = $Array(object.limits.length);
                    for (let i = 0; i < object.limits.length; ++i) {
                        if (!$util.isObject(object.limits[i]))
                            throw $TypeError(".tillbridge.v1.OfflineBounds.limits: object expected");
                        message.limits[i] = $root.tillbridge.v1.OfflineLimit.fromObject(object.limits[i], _depth + 1);
                    }
                }
                return message;
            };

            /**
             * Creates a plain object from an OfflineBounds message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.OfflineBounds
             * @static
             * @param {tillbridge.v1.OfflineBounds} message OfflineBounds
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            OfflineBounds.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults)
                    object.limits = [];
                if (options.defaults)
                    object.maxCount = 0;
                if (message.maxCount != null && $Object.hasOwnProperty.call(message, "maxCount"))
                    object.maxCount = message.maxCount;
                if (message.limits && message.limits.length) {
                    object.limits = $Array(message.limits.length);
                    for (let j = 0; j < message.limits.length; ++j)
                        object.limits[j] = $root.tillbridge.v1.OfflineLimit.toObject(message.limits[j], options, _depth + 1);
                }
                return object;
            };

            /**
             * Converts this OfflineBounds to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.OfflineBounds
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            OfflineBounds.prototype.toJSON = function() {
                return OfflineBounds.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for OfflineBounds
             * @function getTypeUrl
             * @memberof tillbridge.v1.OfflineBounds
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            OfflineBounds.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.OfflineBounds";
            };

            return OfflineBounds;
        })();

        v1.OfflineLimit = (function() {

            /**
             * Properties of an OfflineLimit.
             * @typedef {Object} tillbridge.v1.OfflineLimit.$Properties
             * @property {string|null} [currency] OfflineLimit currency
             * @property {number|null} [perSaleMinor] OfflineLimit perSaleMinor
             * @property {number|null} [sumMinor] OfflineLimit sumMinor
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an OfflineLimit.
             * @memberof tillbridge.v1
             * @interface IOfflineLimit
             * @augments tillbridge.v1.OfflineLimit.$Properties
             * @deprecated Use tillbridge.v1.OfflineLimit.$Properties instead.
             */

            /**
             * Shape of an OfflineLimit.
             * @typedef {tillbridge.v1.OfflineLimit.$Properties} tillbridge.v1.OfflineLimit.$Shape
             */

            /**
             * Constructs a new OfflineLimit.
             * @memberof tillbridge.v1
             * @classdesc Represents an OfflineLimit.
             * @constructor
             * @param {tillbridge.v1.OfflineLimit.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const OfflineLimit = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * OfflineLimit currency.
             * @member {string} currency
             * @memberof tillbridge.v1.OfflineLimit
             * @instance
             */
            OfflineLimit.prototype.currency = "";

            /**
             * OfflineLimit perSaleMinor.
             * @member {number} perSaleMinor
             * @memberof tillbridge.v1.OfflineLimit
             * @instance
             */
            OfflineLimit.prototype.perSaleMinor = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * OfflineLimit sumMinor.
             * @member {number} sumMinor
             * @memberof tillbridge.v1.OfflineLimit
             * @instance
             */
            OfflineLimit.prototype.sumMinor = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Encodes the specified OfflineLimit message. Does not implicitly {@link tillbridge.v1.OfflineLimit.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.OfflineLimit
             * @static
             * @param {tillbridge.v1.OfflineLimit.$Properties} message OfflineLimit message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            OfflineLimit.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.currency != null && $Object.hasOwnProperty.call(message, "currency") && message.currency !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.currency);
                if (message.perSaleMinor != null && $Object.hasOwnProperty.call(message, "perSaleMinor") && (typeof message.perSaleMinor === "object" ? message.perSaleMinor.low || message.perSaleMinor.high : message.perSaleMinor !== 0))
                    writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.perSaleMinor);
                if (message.sumMinor != null && $Object.hasOwnProperty.call(message, "sumMinor") && (typeof message.sumMinor === "object" ? message.sumMinor.low || message.sumMinor.high : message.sumMinor !== 0))
                    writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.sumMinor);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an OfflineLimit message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.OfflineLimit
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.OfflineLimit & tillbridge.v1.OfflineLimit.$Shape} OfflineLimit
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            OfflineLimit.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.OfflineLimit();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.currency = value;
                            else
                                delete message.currency;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.perSaleMinor = value;
                            else
                                delete message.perSaleMinor;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.sumMinor = value;
                            else
                                delete message.sumMinor;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an OfflineLimit message.
             * @function verify
             * @memberof tillbridge.v1.OfflineLimit
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            OfflineLimit.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.currency != null && $Object.hasOwnProperty.call(message, "currency"))
                    if (!$util.isString(message.currency))
                        return "currency: string expected";
                if (message.perSaleMinor != null && $Object.hasOwnProperty.call(message, "perSaleMinor"))
                    if (!$util.isInteger(message.perSaleMinor) && !(message.perSaleMinor && $util.isInteger(message.perSaleMinor.low) && $util.isInteger(message.perSaleMinor.high)))
                        return "perSaleMinor: integer|Long expected";
                if (message.sumMinor != null && $Object.hasOwnProperty.call(message, "sumMinor"))
                    if (!$util.isInteger(message.sumMinor) && !(message.sumMinor && $util.isInteger(message.sumMinor.low) && $util.isInteger(message.sumMinor.high)))
                        return "sumMinor: integer|Long expected";
                return null;
            };

            /**
             * Creates an OfflineLimit message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.OfflineLimit
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.OfflineLimit} OfflineLimit
             */
            OfflineLimit.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.OfflineLimit)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.OfflineLimit: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.OfflineLimit();
                if (object.currency != null)
                    if (typeof object.currency !== "string" || object.currency.length)
                        message.currency = $String(object.currency);
                if (object.perSaleMinor != null)
                    if (typeof object.perSaleMinor === "object" ? object.perSaleMinor.low || object.perSaleMinor.high : $Number(object.perSaleMinor) !== 0)
                        if ($util.Long)
                            message.perSaleMinor = $util.Long.fromValue(object.perSaleMinor, true);
                        else if (typeof object.perSaleMinor === "string")
                            message.perSaleMinor = $parseInt(object.perSaleMinor, 10);
                        else if (typeof object.perSaleMinor === "number")
                            message.perSaleMinor = object.perSaleMinor;
                        else if (typeof object.perSaleMinor === "object")
                            message.perSaleMinor = new $util.LongBits(object.perSaleMinor.low >>> 0, object.perSaleMinor.high >>> 0).toNumber(true);
                if (object.sumMinor != null)
                    if (typeof object.sumMinor === "object" ? object.sumMinor.low || object.sumMinor.high : $Number(object.sumMinor) !== 0)
                        if ($util.Long)
                            message.sumMinor = $util.Long.fromValue(object.sumMinor, true);
                        else if (typeof object.sumMinor === "string")
                            message.sumMinor = $parseInt(object.sumMinor, 10);
                        else if (typeof object.sumMinor === "number")
                            message.sumMinor = object.sumMinor;
                        else if (typeof object.sumMinor === "object")
                            message.sumMinor = new $util.LongBits(object.sumMinor.low >>> 0, object.sumMinor.high >>> 0).toNumber(true);
                return message;
            };

            /**
             * Creates a plain object from an OfflineLimit message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.OfflineLimit
             * @static
             * @param {tillbridge.v1.OfflineLimit} message OfflineLimit
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            OfflineLimit.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.currency = "";
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.perSaleMinor = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.perSaleMinor = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.sumMinor = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.sumMinor = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                }
                if (message.currency != null && $Object.hasOwnProperty.call(message, "currency"))
                    object.currency = message.currency;
                if (message.perSaleMinor != null && $Object.hasOwnProperty.call(message, "perSaleMinor"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.perSaleMinor = typeof message.perSaleMinor === "number" ? $BigInt(message.perSaleMinor) : $util.Long.fromBits(message.perSaleMinor.low >>> 0, message.perSaleMinor.high >>> 0, true).toBigInt();
                    else if (typeof message.perSaleMinor === "number")
                        object.perSaleMinor = options.longs === $String ? $String(message.perSaleMinor) : message.perSaleMinor;
                    else
                        object.perSaleMinor = options.longs === $String ? $util.Long.prototype.toString.call(message.perSaleMinor) : options.longs === $Number ? new $util.LongBits(message.perSaleMinor.low >>> 0, message.perSaleMinor.high >>> 0).toNumber(true) : message.perSaleMinor;
                if (message.sumMinor != null && $Object.hasOwnProperty.call(message, "sumMinor"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.sumMinor = typeof message.sumMinor === "number" ? $BigInt(message.sumMinor) : $util.Long.fromBits(message.sumMinor.low >>> 0, message.sumMinor.high >>> 0, true).toBigInt();
                    else if (typeof message.sumMinor === "number")
                        object.sumMinor = options.longs === $String ? $String(message.sumMinor) : message.sumMinor;
                    else
                        object.sumMinor = options.longs === $String ? $util.Long.prototype.toString.call(message.sumMinor) : options.longs === $Number ? new $util.LongBits(message.sumMinor.low >>> 0, message.sumMinor.high >>> 0).toNumber(true) : message.sumMinor;
                return object;
            };

            /**
             * Converts this OfflineLimit to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.OfflineLimit
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            OfflineLimit.prototype.toJSON = function() {
                return OfflineLimit.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for OfflineLimit
             * @function getTypeUrl
             * @memberof tillbridge.v1.OfflineLimit
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            OfflineLimit.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.OfflineLimit";
            };

            return OfflineLimit;
        })();

        v1.GatewayPins = (function() {

            /**
             * Properties of a GatewayPins.
             * @typedef {Object} tillbridge.v1.GatewayPins.$Properties
             * @property {Array.<Uint8Array>|null} [identityKeys] GatewayPins identityKeys
             * @property {Array.<string>|null} [tlsPins] GatewayPins tlsPins
             * @property {Array.<Uint8Array>|null} [authorities] GatewayPins authorities
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a GatewayPins.
             * @memberof tillbridge.v1
             * @interface IGatewayPins
             * @augments tillbridge.v1.GatewayPins.$Properties
             * @deprecated Use tillbridge.v1.GatewayPins.$Properties instead.
             */

            /**
             * Shape of a GatewayPins.
             * @typedef {tillbridge.v1.GatewayPins.$Properties} tillbridge.v1.GatewayPins.$Shape
             */

            /**
             * Constructs a new GatewayPins.
             * @memberof tillbridge.v1
             * @classdesc Represents a GatewayPins.
             * @constructor
             * @param {tillbridge.v1.GatewayPins.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const GatewayPins = function (properties) {
                this.identityKeys = [];
                this.tlsPins = [];
                this.authorities = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * GatewayPins identityKeys.
             * @member {Array.<Uint8Array>} identityKeys
             * @memberof tillbridge.v1.GatewayPins
             * @instance
             */
            GatewayPins.prototype.identityKeys = $util.emptyArray;

            /**
             * GatewayPins tlsPins.
             * @member {Array.<string>} tlsPins
             * @memberof tillbridge.v1.GatewayPins
             * @instance
             */
            GatewayPins.prototype.tlsPins = $util.emptyArray;

            /**
             * GatewayPins authorities.
             * @member {Array.<Uint8Array>} authorities
             * @memberof tillbridge.v1.GatewayPins
             * @instance
             */
            GatewayPins.prototype.authorities = $util.emptyArray;

            /**
             * Encodes the specified GatewayPins message. Does not implicitly {@link tillbridge.v1.GatewayPins.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.GatewayPins
             * @static
             * @param {tillbridge.v1.GatewayPins.$Properties} message GatewayPins message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            GatewayPins.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.identityKeys != null && message.identityKeys.length)
                    for (let i = 0; i < message.identityKeys.length; ++i)
                        writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.identityKeys[i]);
                if (message.tlsPins != null && message.tlsPins.length)
                    for (let i = 0; i < message.tlsPins.length; ++i)
                        writer.uint32(/* id 2, wireType 2 =*/18).string(message.tlsPins[i]);
                if (message.authorities != null && message.authorities.length)
                    for (let i = 0; i < message.authorities.length; ++i)
                        writer.uint32(/* id 3, wireType 2 =*/26).bytes(message.authorities[i]);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a GatewayPins message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.GatewayPins
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.GatewayPins & tillbridge.v1.GatewayPins.$Shape} GatewayPins
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            GatewayPins.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.GatewayPins();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if (!(message.identityKeys && message.identityKeys.length))
                                message.identityKeys = [];
                            message.identityKeys.push(reader.bytes());
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.tlsPins && message.tlsPins.length))
                                message.tlsPins = [];
                            message.tlsPins.push(reader.stringVerify());
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.authorities && message.authorities.length))
                                message.authorities = [];
                            message.authorities.push(reader.bytes());
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a GatewayPins message.
             * @function verify
             * @memberof tillbridge.v1.GatewayPins
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            GatewayPins.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.identityKeys != null && $Object.hasOwnProperty.call(message, "identityKeys")) {
                    if (!$Array.isArray(message.identityKeys))
                        return "identityKeys: array expected";
                    for (let i = 0; i < message.identityKeys.length; ++i)
                        if (!(message.identityKeys[i] && typeof message.identityKeys[i].length === "number" || $util.isString(message.identityKeys[i])))
                            return "identityKeys: buffer[] expected";
                }
                if (message.tlsPins != null && $Object.hasOwnProperty.call(message, "tlsPins")) {
                    if (!$Array.isArray(message.tlsPins))
                        return "tlsPins: array expected";
                    for (let i = 0; i < message.tlsPins.length; ++i)
                        if (!$util.isString(message.tlsPins[i]))
                            return "tlsPins: string[] expected";
                }
                if (message.authorities != null && $Object.hasOwnProperty.call(message, "authorities")) {
                    if (!$Array.isArray(message.authorities))
                        return "authorities: array expected";
                    for (let i = 0; i < message.authorities.length; ++i)
                        if (!(message.authorities[i] && typeof message.authorities[i].length === "number" || $util.isString(message.authorities[i])))
                            return "authorities: buffer[] expected";
                }
                return null;
            };

            /**
             * Creates a GatewayPins message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.GatewayPins
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.GatewayPins} GatewayPins
             */
            GatewayPins.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.GatewayPins)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.GatewayPins: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.GatewayPins();
                if (object.identityKeys) {
                    if (!$Array.isArray(object.identityKeys))
                        throw $TypeError(".tillbridge.v1.GatewayPins.identityKeys: array expected");
                    message.identityKeys = $Array(object.identityKeys.length);
                    for (let i = 0; i < object.identityKeys.length; ++i)
                        if (typeof object.identityKeys[i] === "string")
                            $util.base64.decode(object.identityKeys[i], message.identityKeys[i] = $util.newBuffer($util.base64.length(object.identityKeys[i])), 0);
                        else if (object.identityKeys[i].length >= 0)
                            message.identityKeys[i] = object.identityKeys[i];
                }
                if (object.tlsPins) {
                    if (!$Array.isArray(object.tlsPins))
                        throw $TypeError(".tillbridge.v1.GatewayPins.tlsPins: array expected");
                    message.tlsPins = $Array(object.tlsPins.length);
                    for (let i = 0; i < object.tlsPins.length; ++i)
                        message.tlsPins[i] = $String(object.tlsPins[i]);
                }
                if (object.authorities) {
                    if (!$Array.isArray(object.authorities))
                        throw $TypeError(".tillbridge.v1.GatewayPins.authorities: array expected");
                    message.authorities = $Array(object.authorities.length);
                    for (let i = 0; i < object.authorities.length; ++i)
                        if (typeof object.authorities[i] === "string")
                            $util.base64.decode(object.authorities[i], message.authorities[i] = $util.newBuffer($util.base64.length(object.authorities[i])), 0);
                        else if (object.authorities[i].length >= 0)
                            message.authorities[i] = object.authorities[i];
                }
                return message;
            };

            /**
             * Creates a plain object from a GatewayPins message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.GatewayPins
             * @static
             * @param {tillbridge.v1.GatewayPins} message GatewayPins
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            GatewayPins.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults) {
                    object.identityKeys = [];
                    object.tlsPins = [];
                    object.authorities = [];
                }
                if (message.identityKeys && message.identityKeys.length) {
                    object.identityKeys = $Array(message.identityKeys.length);
                    for (let j = 0; j < message.identityKeys.length; ++j)
                        object.identityKeys[j] = options.bytes === $String ? $util.base64.encode(message.identityKeys[j], 0, message.identityKeys[j].length) : options.bytes === $Array ? $Array.prototype.slice.call(message.identityKeys[j]) : message.identityKeys[j];
                }
                if (message.tlsPins && message.tlsPins.length) {
                    object.tlsPins = $Array(message.tlsPins.length);
                    for (let j = 0; j < message.tlsPins.length; ++j)
                        object.tlsPins[j] = message.tlsPins[j];
                }
                if (message.authorities && message.authorities.length) {
                    object.authorities = $Array(message.authorities.length);
                    for (let j = 0; j < message.authorities.length; ++j)
                        object.authorities[j] = options.bytes === $String ? $util.base64.encode(message.authorities[j], 0, message.authorities[j].length) : options.bytes === $Array ? $Array.prototype.slice.call(message.authorities[j]) : message.authorities[j];
                }
                return object;
            };

            /**
             * Converts this GatewayPins to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.GatewayPins
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            GatewayPins.prototype.toJSON = function() {
                return GatewayPins.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for GatewayPins
             * @function getTypeUrl
             * @memberof tillbridge.v1.GatewayPins
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            GatewayPins.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.GatewayPins";
            };

            return GatewayPins;
        })();

        /**
         * EnrolmentPurpose enum.
         * @name tillbridge.v1.EnrolmentPurpose
         * @enum {number}
         * @property {number} ENROLMENT_PURPOSE_UNSPECIFIED=0 ENROLMENT_PURPOSE_UNSPECIFIED value
         * @property {number} NEW_AGENT=1 NEW_AGENT value
         * @property {number} NEW_KEY=2 NEW_KEY value
         * @property {number} REPLACEMENT=3 REPLACEMENT value
         */
        v1.EnrolmentPurpose = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "ENROLMENT_PURPOSE_UNSPECIFIED"] = 0;
            values[valuesById[1] = "NEW_AGENT"] = 1;
            values[valuesById[2] = "NEW_KEY"] = 2;
            values[valuesById[3] = "REPLACEMENT"] = 3;
            return values;
        })();

        v1.EnrolmentRequest = (function() {

            /**
             * Properties of an EnrolmentRequest.
             * @typedef {Object} tillbridge.v1.EnrolmentRequest.$Properties
             * @property {string|null} [codeId] EnrolmentRequest codeId
             * @property {tillbridge.v1.EnrolmentPurpose|null} [purpose] EnrolmentRequest purpose
             * @property {string|null} [agentId] EnrolmentRequest agentId
             * @property {Uint8Array|null} [publicKey] EnrolmentRequest publicKey
             * @property {Uint8Array|null} [nonce] EnrolmentRequest nonce
             * @property {string|null} [channel] EnrolmentRequest channel
             * @property {Uint8Array|null} [codeSignature] EnrolmentRequest codeSignature
             * @property {Uint8Array|null} [keySignature] EnrolmentRequest keySignature
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an EnrolmentRequest.
             * @memberof tillbridge.v1
             * @interface IEnrolmentRequest
             * @augments tillbridge.v1.EnrolmentRequest.$Properties
             * @deprecated Use tillbridge.v1.EnrolmentRequest.$Properties instead.
             */

            /**
             * Shape of an EnrolmentRequest.
             * @typedef {tillbridge.v1.EnrolmentRequest.$Properties} tillbridge.v1.EnrolmentRequest.$Shape
             */

            /**
             * Constructs a new EnrolmentRequest.
             * @memberof tillbridge.v1
             * @classdesc Represents an EnrolmentRequest.
             * @constructor
             * @param {tillbridge.v1.EnrolmentRequest.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const EnrolmentRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * EnrolmentRequest codeId.
             * @member {string} codeId
             * @memberof tillbridge.v1.EnrolmentRequest
             * @instance
             */
            EnrolmentRequest.prototype.codeId = "";

            /**
             * EnrolmentRequest purpose.
             * @member {tillbridge.v1.EnrolmentPurpose} purpose
             * @memberof tillbridge.v1.EnrolmentRequest
             * @instance
             */
            EnrolmentRequest.prototype.purpose = 0;

            /**
             * EnrolmentRequest agentId.
             * @member {string} agentId
             * @memberof tillbridge.v1.EnrolmentRequest
             * @instance
             */
            EnrolmentRequest.prototype.agentId = "";

            /**
             * EnrolmentRequest publicKey.
             * @member {Uint8Array} publicKey
             * @memberof tillbridge.v1.EnrolmentRequest
             * @instance
             */
            EnrolmentRequest.prototype.publicKey = $util.newBuffer([]);

            /**
             * EnrolmentRequest nonce.
             * @member {Uint8Array} nonce
             * @memberof tillbridge.v1.EnrolmentRequest
             * @instance
             */
            EnrolmentRequest.prototype.nonce = $util.newBuffer([]);

            /**
             * EnrolmentRequest channel.
             * @member {string} channel
             * @memberof tillbridge.v1.EnrolmentRequest
             * @instance
             */
            EnrolmentRequest.prototype.channel = "";

            /**
             * EnrolmentRequest codeSignature.
             * @member {Uint8Array} codeSignature
             * @memberof tillbridge.v1.EnrolmentRequest
             * @instance
             */
            EnrolmentRequest.prototype.codeSignature = $util.newBuffer([]);

            /**
             * EnrolmentRequest keySignature.
             * @member {Uint8Array} keySignature
             * @memberof tillbridge.v1.EnrolmentRequest
             * @instance
             */
            EnrolmentRequest.prototype.keySignature = $util.newBuffer([]);

            /**
             * Encodes the specified EnrolmentRequest message. Does not implicitly {@link tillbridge.v1.EnrolmentRequest.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.EnrolmentRequest
             * @static
             * @param {tillbridge.v1.EnrolmentRequest.$Properties} message EnrolmentRequest message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            EnrolmentRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.codeId != null && $Object.hasOwnProperty.call(message, "codeId") && message.codeId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.codeId);
                if (message.purpose != null && $Object.hasOwnProperty.call(message, "purpose") && message.purpose !== 0)
                    writer.uint32(/* id 2, wireType 0 =*/16).int32(message.purpose);
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId") && message.agentId !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.agentId);
                if (message.publicKey != null && $Object.hasOwnProperty.call(message, "publicKey") && message.publicKey.length)
                    writer.uint32(/* id 4, wireType 2 =*/34).bytes(message.publicKey);
                if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce") && message.nonce.length)
                    writer.uint32(/* id 5, wireType 2 =*/42).bytes(message.nonce);
                if (message.channel != null && $Object.hasOwnProperty.call(message, "channel") && message.channel !== "")
                    writer.uint32(/* id 6, wireType 2 =*/50).string(message.channel);
                if (message.codeSignature != null && $Object.hasOwnProperty.call(message, "codeSignature") && message.codeSignature.length)
                    writer.uint32(/* id 7, wireType 2 =*/58).bytes(message.codeSignature);
                if (message.keySignature != null && $Object.hasOwnProperty.call(message, "keySignature") && message.keySignature.length)
                    writer.uint32(/* id 8, wireType 2 =*/66).bytes(message.keySignature);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an EnrolmentRequest message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.EnrolmentRequest
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.EnrolmentRequest & tillbridge.v1.EnrolmentRequest.$Shape} EnrolmentRequest
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            EnrolmentRequest.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.EnrolmentRequest();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.codeId = value;
                            else
                                delete message.codeId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.purpose = value;
                            else
                                delete message.purpose;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.agentId = value;
                            else
                                delete message.agentId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.publicKey = value;
                            else
                                delete message.publicKey;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.nonce = value;
                            else
                                delete message.nonce;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.channel = value;
                            else
                                delete message.channel;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.codeSignature = value;
                            else
                                delete message.codeSignature;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.keySignature = value;
                            else
                                delete message.keySignature;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an EnrolmentRequest message.
             * @function verify
             * @memberof tillbridge.v1.EnrolmentRequest
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            EnrolmentRequest.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.codeId != null && $Object.hasOwnProperty.call(message, "codeId"))
                    if (!$util.isString(message.codeId))
                        return "codeId: string expected";
                if (message.purpose != null && $Object.hasOwnProperty.call(message, "purpose"))
                    if (typeof message.purpose !== "number" || (message.purpose | 0) !== message.purpose)
                        return "purpose: enum value expected";
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId"))
                    if (!$util.isString(message.agentId))
                        return "agentId: string expected";
                if (message.publicKey != null && $Object.hasOwnProperty.call(message, "publicKey"))
                    if (!(message.publicKey && typeof message.publicKey.length === "number" || $util.isString(message.publicKey)))
                        return "publicKey: buffer expected";
                if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce"))
                    if (!(message.nonce && typeof message.nonce.length === "number" || $util.isString(message.nonce)))
                        return "nonce: buffer expected";
                if (message.channel != null && $Object.hasOwnProperty.call(message, "channel"))
                    if (!$util.isString(message.channel))
                        return "channel: string expected";
                if (message.codeSignature != null && $Object.hasOwnProperty.call(message, "codeSignature"))
                    if (!(message.codeSignature && typeof message.codeSignature.length === "number" || $util.isString(message.codeSignature)))
                        return "codeSignature: buffer expected";
                if (message.keySignature != null && $Object.hasOwnProperty.call(message, "keySignature"))
                    if (!(message.keySignature && typeof message.keySignature.length === "number" || $util.isString(message.keySignature)))
                        return "keySignature: buffer expected";
                return null;
            };

            /**
             * Creates an EnrolmentRequest message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.EnrolmentRequest
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.EnrolmentRequest} EnrolmentRequest
             */
            EnrolmentRequest.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.EnrolmentRequest)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.EnrolmentRequest: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.EnrolmentRequest();
                if (object.codeId != null)
                    if (typeof object.codeId !== "string" || object.codeId.length)
                        message.codeId = $String(object.codeId);
                if (object.purpose !== 0 && (typeof object.purpose !== "string" || $root.tillbridge.v1.EnrolmentPurpose[object.purpose] !== 0))
                    switch (object.purpose) {
                    case "ENROLMENT_PURPOSE_UNSPECIFIED":
                    case 0:
                        message.purpose = 0;
                        break;
                    case "NEW_AGENT":
                    case 1:
                        message.purpose = 1;
                        break;
                    case "NEW_KEY":
                    case 2:
                        message.purpose = 2;
                        break;
                    case "REPLACEMENT":
                    case 3:
                        message.purpose = 3;
                        break;
                    default:
                        if (typeof object.purpose === "number" && (object.purpose | 0) === object.purpose)
                            message.purpose = object.purpose;
                    }
                if (object.agentId != null)
                    if (typeof object.agentId !== "string" || object.agentId.length)
                        message.agentId = $String(object.agentId);
                if (object.publicKey != null)
                    if (object.publicKey.length)
                        if (typeof object.publicKey === "string")
                            $util.base64.decode(object.publicKey, message.publicKey = $util.newBuffer($util.base64.length(object.publicKey)), 0);
                        else if (object.publicKey.length >= 0)
                            message.publicKey = object.publicKey;
                if (object.nonce != null)
                    if (object.nonce.length)
                        if (typeof object.nonce === "string")
                            $util.base64.decode(object.nonce, message.nonce = $util.newBuffer($util.base64.length(object.nonce)), 0);
                        else if (object.nonce.length >= 0)
                            message.nonce = object.nonce;
                if (object.channel != null)
                    if (typeof object.channel !== "string" || object.channel.length)
                        message.channel = $String(object.channel);
                if (object.codeSignature != null)
                    if (object.codeSignature.length)
                        if (typeof object.codeSignature === "string")
                            $util.base64.decode(object.codeSignature, message.codeSignature = $util.newBuffer($util.base64.length(object.codeSignature)), 0);
                        else if (object.codeSignature.length >= 0)
                            message.codeSignature = object.codeSignature;
                if (object.keySignature != null)
                    if (object.keySignature.length)
                        if (typeof object.keySignature === "string")
                            $util.base64.decode(object.keySignature, message.keySignature = $util.newBuffer($util.base64.length(object.keySignature)), 0);
                        else if (object.keySignature.length >= 0)
                            message.keySignature = object.keySignature;
                return message;
            };

            /**
             * Creates a plain object from an EnrolmentRequest message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.EnrolmentRequest
             * @static
             * @param {tillbridge.v1.EnrolmentRequest} message EnrolmentRequest
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            EnrolmentRequest.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.codeId = "";
                    object.purpose = options.enums === $String ? "ENROLMENT_PURPOSE_UNSPECIFIED" : 0;
                    object.agentId = "";
                    if (options.bytes === $String)
                        object.publicKey = "";
                    else {
                        object.publicKey = [];
                        if (options.bytes !== $Array)
                            object.publicKey = $util.newBuffer(object.publicKey);
                    }
                    if (options.bytes === $String)
                        object.nonce = "";
                    else {
                        object.nonce = [];
                        if (options.bytes !== $Array)
                            object.nonce = $util.newBuffer(object.nonce);
                    }
                    object.channel = "";
                    if (options.bytes === $String)
                        object.codeSignature = "";
                    else {
                        object.codeSignature = [];
                        if (options.bytes !== $Array)
                            object.codeSignature = $util.newBuffer(object.codeSignature);
                    }
                    if (options.bytes === $String)
                        object.keySignature = "";
                    else {
                        object.keySignature = [];
                        if (options.bytes !== $Array)
                            object.keySignature = $util.newBuffer(object.keySignature);
                    }
                }
                if (message.codeId != null && $Object.hasOwnProperty.call(message, "codeId"))
                    object.codeId = message.codeId;
                if (message.purpose != null && $Object.hasOwnProperty.call(message, "purpose"))
                    object.purpose = options.enums === $String ? $root.tillbridge.v1.EnrolmentPurpose[message.purpose] === $undefined ? message.purpose : $root.tillbridge.v1.EnrolmentPurpose[message.purpose] : message.purpose;
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId"))
                    object.agentId = message.agentId;
                if (message.publicKey != null && $Object.hasOwnProperty.call(message, "publicKey"))
                    object.publicKey = options.bytes === $String ? $util.base64.encode(message.publicKey, 0, message.publicKey.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.publicKey) : message.publicKey;
                if (message.nonce != null && $Object.hasOwnProperty.call(message, "nonce"))
                    object.nonce = options.bytes === $String ? $util.base64.encode(message.nonce, 0, message.nonce.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.nonce) : message.nonce;
                if (message.channel != null && $Object.hasOwnProperty.call(message, "channel"))
                    object.channel = message.channel;
                if (message.codeSignature != null && $Object.hasOwnProperty.call(message, "codeSignature"))
                    object.codeSignature = options.bytes === $String ? $util.base64.encode(message.codeSignature, 0, message.codeSignature.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.codeSignature) : message.codeSignature;
                if (message.keySignature != null && $Object.hasOwnProperty.call(message, "keySignature"))
                    object.keySignature = options.bytes === $String ? $util.base64.encode(message.keySignature, 0, message.keySignature.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.keySignature) : message.keySignature;
                return object;
            };

            /**
             * Converts this EnrolmentRequest to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.EnrolmentRequest
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            EnrolmentRequest.prototype.toJSON = function() {
                return EnrolmentRequest.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for EnrolmentRequest
             * @function getTypeUrl
             * @memberof tillbridge.v1.EnrolmentRequest
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            EnrolmentRequest.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.EnrolmentRequest";
            };

            return EnrolmentRequest;
        })();

        v1.EnrolmentAnswer = (function() {

            /**
             * Properties of an EnrolmentAnswer.
             * @typedef {Object} tillbridge.v1.EnrolmentAnswer.$Properties
             * @property {string|null} [agentId] EnrolmentAnswer agentId
             * @property {number|null} [generation] EnrolmentAnswer generation
             * @property {string|null} [entityId] EnrolmentAnswer entityId
             * @property {Array.<string>|null} [terminals] EnrolmentAnswer terminals
             * @property {tillbridge.v1.GatewayPins.$Properties|null} [pins] EnrolmentAnswer pins
             * @property {Uint8Array|null} [signature] EnrolmentAnswer signature
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an EnrolmentAnswer.
             * @memberof tillbridge.v1
             * @interface IEnrolmentAnswer
             * @augments tillbridge.v1.EnrolmentAnswer.$Properties
             * @deprecated Use tillbridge.v1.EnrolmentAnswer.$Properties instead.
             */

            /**
             * Shape of an EnrolmentAnswer.
             * @typedef {tillbridge.v1.EnrolmentAnswer.$Properties} tillbridge.v1.EnrolmentAnswer.$Shape
             */

            /**
             * Constructs a new EnrolmentAnswer.
             * @memberof tillbridge.v1
             * @classdesc Represents an EnrolmentAnswer.
             * @constructor
             * @param {tillbridge.v1.EnrolmentAnswer.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const EnrolmentAnswer = function (properties) {
                this.terminals = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * EnrolmentAnswer agentId.
             * @member {string} agentId
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @instance
             */
            EnrolmentAnswer.prototype.agentId = "";

            /**
             * EnrolmentAnswer generation.
             * @member {number} generation
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @instance
             */
            EnrolmentAnswer.prototype.generation = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * EnrolmentAnswer entityId.
             * @member {string} entityId
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @instance
             */
            EnrolmentAnswer.prototype.entityId = "";

            /**
             * EnrolmentAnswer terminals.
             * @member {Array.<string>} terminals
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @instance
             */
            EnrolmentAnswer.prototype.terminals = $util.emptyArray;

            /**
             * EnrolmentAnswer pins.
             * @member {tillbridge.v1.GatewayPins.$Properties|null|undefined} pins
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @instance
             */
            EnrolmentAnswer.prototype.pins = null;

            /**
             * EnrolmentAnswer signature.
             * @member {Uint8Array} signature
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @instance
             */
            EnrolmentAnswer.prototype.signature = $util.newBuffer([]);

            /**
             * Encodes the specified EnrolmentAnswer message. Does not implicitly {@link tillbridge.v1.EnrolmentAnswer.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @static
             * @param {tillbridge.v1.EnrolmentAnswer.$Properties} message EnrolmentAnswer message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            EnrolmentAnswer.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId") && message.agentId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.agentId);
                if (message.generation != null && $Object.hasOwnProperty.call(message, "generation") && (typeof message.generation === "object" ? message.generation.low || message.generation.high : message.generation !== 0))
                    writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.generation);
                if (message.entityId != null && $Object.hasOwnProperty.call(message, "entityId") && message.entityId !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.entityId);
                if (message.terminals != null && message.terminals.length)
                    for (let i = 0; i < message.terminals.length; ++i)
                        writer.uint32(/* id 4, wireType 2 =*/34).string(message.terminals[i]);
                if (message.pins != null && $Object.hasOwnProperty.call(message, "pins"))
                    $root.tillbridge.v1.GatewayPins.encode(message.pins, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature") && message.signature.length)
                    writer.uint32(/* id 6, wireType 2 =*/50).bytes(message.signature);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an EnrolmentAnswer message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.EnrolmentAnswer & tillbridge.v1.EnrolmentAnswer.$Shape} EnrolmentAnswer
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            EnrolmentAnswer.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.EnrolmentAnswer();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.agentId = value;
                            else
                                delete message.agentId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.generation = value;
                            else
                                delete message.generation;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.entityId = value;
                            else
                                delete message.entityId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if (!(message.terminals && message.terminals.length))
                                message.terminals = [];
                            message.terminals.push(reader.stringVerify());
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.pins = $root.tillbridge.v1.GatewayPins.decode(reader, reader.size(), $undefined, _depth + 1, message.pins);
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.signature = value;
                            else
                                delete message.signature;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an EnrolmentAnswer message.
             * @function verify
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            EnrolmentAnswer.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId"))
                    if (!$util.isString(message.agentId))
                        return "agentId: string expected";
                if (message.generation != null && $Object.hasOwnProperty.call(message, "generation"))
                    if (!$util.isInteger(message.generation) && !(message.generation && $util.isInteger(message.generation.low) && $util.isInteger(message.generation.high)))
                        return "generation: integer|Long expected";
                if (message.entityId != null && $Object.hasOwnProperty.call(message, "entityId"))
                    if (!$util.isString(message.entityId))
                        return "entityId: string expected";
                if (message.terminals != null && $Object.hasOwnProperty.call(message, "terminals")) {
                    if (!$Array.isArray(message.terminals))
                        return "terminals: array expected";
                    for (let i = 0; i < message.terminals.length; ++i)
                        if (!$util.isString(message.terminals[i]))
                            return "terminals: string[] expected";
                }
                if (message.pins != null && $Object.hasOwnProperty.call(message, "pins")) {
                    let error = $root.tillbridge.v1.GatewayPins.verify(message.pins, _depth + 1);
                    if (error)
                        return "pins." + error;
                }
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    if (!(message.signature && typeof message.signature.length === "number" || $util.isString(message.signature)))
                        return "signature: buffer expected";
                return null;
            };

            /**
             * Creates an EnrolmentAnswer message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.EnrolmentAnswer} EnrolmentAnswer
             */
            EnrolmentAnswer.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.EnrolmentAnswer)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.EnrolmentAnswer: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.EnrolmentAnswer();
                if (object.agentId != null)
                    if (typeof object.agentId !== "string" || object.agentId.length)
                        message.agentId = $String(object.agentId);
                if (object.generation != null)
                    if (typeof object.generation === "object" ? object.generation.low || object.generation.high : $Number(object.generation) !== 0)
                        if ($util.Long)
                            message.generation = $util.Long.fromValue(object.generation, true);
                        else if (typeof object.generation === "string")
                            message.generation = $parseInt(object.generation, 10);
                        else if (typeof object.generation === "number")
                            message.generation = object.generation;
                        else if (typeof object.generation === "object")
                            message.generation = new $util.LongBits(object.generation.low >>> 0, object.generation.high >>> 0).toNumber(true);
                if (object.entityId != null)
                    if (typeof object.entityId !== "string" || object.entityId.length)
                        message.entityId = $String(object.entityId);
                if (object.terminals) {
                    if (!$Array.isArray(object.terminals))
                        throw $TypeError(".tillbridge.v1.EnrolmentAnswer.terminals: array expected");
                    message.terminals = $Array(object.terminals.length);
                    for (let i = 0; i < object.terminals.length; ++i)
                        message.terminals[i] = $String(object.terminals[i]);
                }
                if (object.pins != null) {
                    if (!$util.isObject(object.pins))
                        throw $TypeError(".tillbridge.v1.EnrolmentAnswer.pins: object expected");
                    message.pins = $root.tillbridge.v1.GatewayPins.fromObject(object.pins, _depth + 1);
                }
                if (object.signature != null)
                    if (object.signature.length)
                        if (typeof object.signature === "string")
                            $util.base64.decode(object.signature, message.signature = $util.newBuffer($util.base64.length(object.signature)), 0);
                        else if (object.signature.length >= 0)
                            message.signature = object.signature;
                return message;
            };

            /**
             * Creates a plain object from an EnrolmentAnswer message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @static
             * @param {tillbridge.v1.EnrolmentAnswer} message EnrolmentAnswer
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            EnrolmentAnswer.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults)
                    object.terminals = [];
                if (options.defaults) {
                    object.agentId = "";
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.generation = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.generation = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.entityId = "";
                    object.pins = null;
                    if (options.bytes === $String)
                        object.signature = "";
                    else {
                        object.signature = [];
                        if (options.bytes !== $Array)
                            object.signature = $util.newBuffer(object.signature);
                    }
                }
                if (message.agentId != null && $Object.hasOwnProperty.call(message, "agentId"))
                    object.agentId = message.agentId;
                if (message.generation != null && $Object.hasOwnProperty.call(message, "generation"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.generation = typeof message.generation === "number" ? $BigInt(message.generation) : $util.Long.fromBits(message.generation.low >>> 0, message.generation.high >>> 0, true).toBigInt();
                    else if (typeof message.generation === "number")
                        object.generation = options.longs === $String ? $String(message.generation) : message.generation;
                    else
                        object.generation = options.longs === $String ? $util.Long.prototype.toString.call(message.generation) : options.longs === $Number ? new $util.LongBits(message.generation.low >>> 0, message.generation.high >>> 0).toNumber(true) : message.generation;
                if (message.entityId != null && $Object.hasOwnProperty.call(message, "entityId"))
                    object.entityId = message.entityId;
                if (message.terminals && message.terminals.length) {
                    object.terminals = $Array(message.terminals.length);
                    for (let j = 0; j < message.terminals.length; ++j)
                        object.terminals[j] = message.terminals[j];
                }
                if (message.pins != null && $Object.hasOwnProperty.call(message, "pins"))
                    object.pins = $root.tillbridge.v1.GatewayPins.toObject(message.pins, options, _depth + 1);
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    object.signature = options.bytes === $String ? $util.base64.encode(message.signature, 0, message.signature.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.signature) : message.signature;
                return object;
            };

            /**
             * Converts this EnrolmentAnswer to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            EnrolmentAnswer.prototype.toJSON = function() {
                return EnrolmentAnswer.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for EnrolmentAnswer
             * @function getTypeUrl
             * @memberof tillbridge.v1.EnrolmentAnswer
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            EnrolmentAnswer.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.EnrolmentAnswer";
            };

            return EnrolmentAnswer;
        })();

        v1.JournalHead = (function() {

            /**
             * Properties of a JournalHead.
             * @typedef {Object} tillbridge.v1.JournalHead.$Properties
             * @property {number|null} [row] JournalHead row
             * @property {Uint8Array|null} [hash] JournalHead hash
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a JournalHead.
             * @memberof tillbridge.v1
             * @interface IJournalHead
             * @augments tillbridge.v1.JournalHead.$Properties
             * @deprecated Use tillbridge.v1.JournalHead.$Properties instead.
             */

            /**
             * Shape of a JournalHead.
             * @typedef {tillbridge.v1.JournalHead.$Properties} tillbridge.v1.JournalHead.$Shape
             */

            /**
             * Constructs a new JournalHead.
             * @memberof tillbridge.v1
             * @classdesc Represents a JournalHead.
             * @constructor
             * @param {tillbridge.v1.JournalHead.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const JournalHead = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * JournalHead row.
             * @member {number} row
             * @memberof tillbridge.v1.JournalHead
             * @instance
             */
            JournalHead.prototype.row = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * JournalHead hash.
             * @member {Uint8Array} hash
             * @memberof tillbridge.v1.JournalHead
             * @instance
             */
            JournalHead.prototype.hash = $util.newBuffer([]);

            /**
             * Encodes the specified JournalHead message. Does not implicitly {@link tillbridge.v1.JournalHead.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.JournalHead
             * @static
             * @param {tillbridge.v1.JournalHead.$Properties} message JournalHead message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            JournalHead.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.row != null && $Object.hasOwnProperty.call(message, "row") && (typeof message.row === "object" ? message.row.low || message.row.high : message.row !== 0))
                    writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.row);
                if (message.hash != null && $Object.hasOwnProperty.call(message, "hash") && message.hash.length)
                    writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.hash);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a JournalHead message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.JournalHead
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.JournalHead & tillbridge.v1.JournalHead.$Shape} JournalHead
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            JournalHead.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.JournalHead();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.row = value;
                            else
                                delete message.row;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.hash = value;
                            else
                                delete message.hash;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a JournalHead message.
             * @function verify
             * @memberof tillbridge.v1.JournalHead
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            JournalHead.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.row != null && $Object.hasOwnProperty.call(message, "row"))
                    if (!$util.isInteger(message.row) && !(message.row && $util.isInteger(message.row.low) && $util.isInteger(message.row.high)))
                        return "row: integer|Long expected";
                if (message.hash != null && $Object.hasOwnProperty.call(message, "hash"))
                    if (!(message.hash && typeof message.hash.length === "number" || $util.isString(message.hash)))
                        return "hash: buffer expected";
                return null;
            };

            /**
             * Creates a JournalHead message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.JournalHead
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.JournalHead} JournalHead
             */
            JournalHead.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.JournalHead)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.JournalHead: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.JournalHead();
                if (object.row != null)
                    if (typeof object.row === "object" ? object.row.low || object.row.high : $Number(object.row) !== 0)
                        if ($util.Long)
                            message.row = $util.Long.fromValue(object.row, true);
                        else if (typeof object.row === "string")
                            message.row = $parseInt(object.row, 10);
                        else if (typeof object.row === "number")
                            message.row = object.row;
                        else if (typeof object.row === "object")
                            message.row = new $util.LongBits(object.row.low >>> 0, object.row.high >>> 0).toNumber(true);
                if (object.hash != null)
                    if (object.hash.length)
                        if (typeof object.hash === "string")
                            $util.base64.decode(object.hash, message.hash = $util.newBuffer($util.base64.length(object.hash)), 0);
                        else if (object.hash.length >= 0)
                            message.hash = object.hash;
                return message;
            };

            /**
             * Creates a plain object from a JournalHead message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.JournalHead
             * @static
             * @param {tillbridge.v1.JournalHead} message JournalHead
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            JournalHead.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.row = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.row = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if (options.bytes === $String)
                        object.hash = "";
                    else {
                        object.hash = [];
                        if (options.bytes !== $Array)
                            object.hash = $util.newBuffer(object.hash);
                    }
                }
                if (message.row != null && $Object.hasOwnProperty.call(message, "row"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.row = typeof message.row === "number" ? $BigInt(message.row) : $util.Long.fromBits(message.row.low >>> 0, message.row.high >>> 0, true).toBigInt();
                    else if (typeof message.row === "number")
                        object.row = options.longs === $String ? $String(message.row) : message.row;
                    else
                        object.row = options.longs === $String ? $util.Long.prototype.toString.call(message.row) : options.longs === $Number ? new $util.LongBits(message.row.low >>> 0, message.row.high >>> 0).toNumber(true) : message.row;
                if (message.hash != null && $Object.hasOwnProperty.call(message, "hash"))
                    object.hash = options.bytes === $String ? $util.base64.encode(message.hash, 0, message.hash.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.hash) : message.hash;
                return object;
            };

            /**
             * Converts this JournalHead to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.JournalHead
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            JournalHead.prototype.toJSON = function() {
                return JournalHead.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for JournalHead
             * @function getTypeUrl
             * @memberof tillbridge.v1.JournalHead
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            JournalHead.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.JournalHead";
            };

            return JournalHead;
        })();

        v1.CountersignedHead = (function() {

            /**
             * Properties of a CountersignedHead.
             * @typedef {Object} tillbridge.v1.CountersignedHead.$Properties
             * @property {number|null} [generation] CountersignedHead generation
             * @property {number|null} [row] CountersignedHead row
             * @property {Uint8Array|null} [hash] CountersignedHead hash
             * @property {Uint8Array|null} [root] CountersignedHead root
             * @property {number|null} [timeMs] CountersignedHead timeMs
             * @property {Uint8Array|null} [key] CountersignedHead key
             * @property {Uint8Array|null} [signature] CountersignedHead signature
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a CountersignedHead.
             * @memberof tillbridge.v1
             * @interface ICountersignedHead
             * @augments tillbridge.v1.CountersignedHead.$Properties
             * @deprecated Use tillbridge.v1.CountersignedHead.$Properties instead.
             */

            /**
             * Shape of a CountersignedHead.
             * @typedef {tillbridge.v1.CountersignedHead.$Properties} tillbridge.v1.CountersignedHead.$Shape
             */

            /**
             * Constructs a new CountersignedHead.
             * @memberof tillbridge.v1
             * @classdesc Represents a CountersignedHead.
             * @constructor
             * @param {tillbridge.v1.CountersignedHead.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const CountersignedHead = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * CountersignedHead generation.
             * @member {number} generation
             * @memberof tillbridge.v1.CountersignedHead
             * @instance
             */
            CountersignedHead.prototype.generation = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * CountersignedHead row.
             * @member {number} row
             * @memberof tillbridge.v1.CountersignedHead
             * @instance
             */
            CountersignedHead.prototype.row = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * CountersignedHead hash.
             * @member {Uint8Array} hash
             * @memberof tillbridge.v1.CountersignedHead
             * @instance
             */
            CountersignedHead.prototype.hash = $util.newBuffer([]);

            /**
             * CountersignedHead root.
             * @member {Uint8Array} root
             * @memberof tillbridge.v1.CountersignedHead
             * @instance
             */
            CountersignedHead.prototype.root = $util.newBuffer([]);

            /**
             * CountersignedHead timeMs.
             * @member {number} timeMs
             * @memberof tillbridge.v1.CountersignedHead
             * @instance
             */
            CountersignedHead.prototype.timeMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * CountersignedHead key.
             * @member {Uint8Array} key
             * @memberof tillbridge.v1.CountersignedHead
             * @instance
             */
            CountersignedHead.prototype.key = $util.newBuffer([]);

            /**
             * CountersignedHead signature.
             * @member {Uint8Array} signature
             * @memberof tillbridge.v1.CountersignedHead
             * @instance
             */
            CountersignedHead.prototype.signature = $util.newBuffer([]);

            /**
             * Encodes the specified CountersignedHead message. Does not implicitly {@link tillbridge.v1.CountersignedHead.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.CountersignedHead
             * @static
             * @param {tillbridge.v1.CountersignedHead.$Properties} message CountersignedHead message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            CountersignedHead.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.generation != null && $Object.hasOwnProperty.call(message, "generation") && (typeof message.generation === "object" ? message.generation.low || message.generation.high : message.generation !== 0))
                    writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.generation);
                if (message.row != null && $Object.hasOwnProperty.call(message, "row") && (typeof message.row === "object" ? message.row.low || message.row.high : message.row !== 0))
                    writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.row);
                if (message.hash != null && $Object.hasOwnProperty.call(message, "hash") && message.hash.length)
                    writer.uint32(/* id 3, wireType 2 =*/26).bytes(message.hash);
                if (message.root != null && $Object.hasOwnProperty.call(message, "root") && message.root.length)
                    writer.uint32(/* id 4, wireType 2 =*/34).bytes(message.root);
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs") && (typeof message.timeMs === "object" ? message.timeMs.low || message.timeMs.high : message.timeMs !== 0))
                    writer.uint32(/* id 5, wireType 0 =*/40).uint64(message.timeMs);
                if (message.key != null && $Object.hasOwnProperty.call(message, "key") && message.key.length)
                    writer.uint32(/* id 6, wireType 2 =*/50).bytes(message.key);
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature") && message.signature.length)
                    writer.uint32(/* id 7, wireType 2 =*/58).bytes(message.signature);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a CountersignedHead message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.CountersignedHead
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.CountersignedHead & tillbridge.v1.CountersignedHead.$Shape} CountersignedHead
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            CountersignedHead.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.CountersignedHead();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.generation = value;
                            else
                                delete message.generation;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.row = value;
                            else
                                delete message.row;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.hash = value;
                            else
                                delete message.hash;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.root = value;
                            else
                                delete message.root;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeMs = value;
                            else
                                delete message.timeMs;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.key = value;
                            else
                                delete message.key;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.signature = value;
                            else
                                delete message.signature;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a CountersignedHead message.
             * @function verify
             * @memberof tillbridge.v1.CountersignedHead
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            CountersignedHead.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.generation != null && $Object.hasOwnProperty.call(message, "generation"))
                    if (!$util.isInteger(message.generation) && !(message.generation && $util.isInteger(message.generation.low) && $util.isInteger(message.generation.high)))
                        return "generation: integer|Long expected";
                if (message.row != null && $Object.hasOwnProperty.call(message, "row"))
                    if (!$util.isInteger(message.row) && !(message.row && $util.isInteger(message.row.low) && $util.isInteger(message.row.high)))
                        return "row: integer|Long expected";
                if (message.hash != null && $Object.hasOwnProperty.call(message, "hash"))
                    if (!(message.hash && typeof message.hash.length === "number" || $util.isString(message.hash)))
                        return "hash: buffer expected";
                if (message.root != null && $Object.hasOwnProperty.call(message, "root"))
                    if (!(message.root && typeof message.root.length === "number" || $util.isString(message.root)))
                        return "root: buffer expected";
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (!$util.isInteger(message.timeMs) && !(message.timeMs && $util.isInteger(message.timeMs.low) && $util.isInteger(message.timeMs.high)))
                        return "timeMs: integer|Long expected";
                if (message.key != null && $Object.hasOwnProperty.call(message, "key"))
                    if (!(message.key && typeof message.key.length === "number" || $util.isString(message.key)))
                        return "key: buffer expected";
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    if (!(message.signature && typeof message.signature.length === "number" || $util.isString(message.signature)))
                        return "signature: buffer expected";
                return null;
            };

            /**
             * Creates a CountersignedHead message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.CountersignedHead
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.CountersignedHead} CountersignedHead
             */
            CountersignedHead.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.CountersignedHead)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.CountersignedHead: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.CountersignedHead();
                if (object.generation != null)
                    if (typeof object.generation === "object" ? object.generation.low || object.generation.high : $Number(object.generation) !== 0)
                        if ($util.Long)
                            message.generation = $util.Long.fromValue(object.generation, true);
                        else if (typeof object.generation === "string")
                            message.generation = $parseInt(object.generation, 10);
                        else if (typeof object.generation === "number")
                            message.generation = object.generation;
                        else if (typeof object.generation === "object")
                            message.generation = new $util.LongBits(object.generation.low >>> 0, object.generation.high >>> 0).toNumber(true);
                if (object.row != null)
                    if (typeof object.row === "object" ? object.row.low || object.row.high : $Number(object.row) !== 0)
                        if ($util.Long)
                            message.row = $util.Long.fromValue(object.row, true);
                        else if (typeof object.row === "string")
                            message.row = $parseInt(object.row, 10);
                        else if (typeof object.row === "number")
                            message.row = object.row;
                        else if (typeof object.row === "object")
                            message.row = new $util.LongBits(object.row.low >>> 0, object.row.high >>> 0).toNumber(true);
                if (object.hash != null)
                    if (object.hash.length)
                        if (typeof object.hash === "string")
                            $util.base64.decode(object.hash, message.hash = $util.newBuffer($util.base64.length(object.hash)), 0);
                        else if (object.hash.length >= 0)
                            message.hash = object.hash;
                if (object.root != null)
                    if (object.root.length)
                        if (typeof object.root === "string")
                            $util.base64.decode(object.root, message.root = $util.newBuffer($util.base64.length(object.root)), 0);
                        else if (object.root.length >= 0)
                            message.root = object.root;
                if (object.timeMs != null)
                    if (typeof object.timeMs === "object" ? object.timeMs.low || object.timeMs.high : $Number(object.timeMs) !== 0)
                        if ($util.Long)
                            message.timeMs = $util.Long.fromValue(object.timeMs, true);
                        else if (typeof object.timeMs === "string")
                            message.timeMs = $parseInt(object.timeMs, 10);
                        else if (typeof object.timeMs === "number")
                            message.timeMs = object.timeMs;
                        else if (typeof object.timeMs === "object")
                            message.timeMs = new $util.LongBits(object.timeMs.low >>> 0, object.timeMs.high >>> 0).toNumber(true);
                if (object.key != null)
                    if (object.key.length)
                        if (typeof object.key === "string")
                            $util.base64.decode(object.key, message.key = $util.newBuffer($util.base64.length(object.key)), 0);
                        else if (object.key.length >= 0)
                            message.key = object.key;
                if (object.signature != null)
                    if (object.signature.length)
                        if (typeof object.signature === "string")
                            $util.base64.decode(object.signature, message.signature = $util.newBuffer($util.base64.length(object.signature)), 0);
                        else if (object.signature.length >= 0)
                            message.signature = object.signature;
                return message;
            };

            /**
             * Creates a plain object from a CountersignedHead message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.CountersignedHead
             * @static
             * @param {tillbridge.v1.CountersignedHead} message CountersignedHead
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            CountersignedHead.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.generation = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.generation = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.row = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.row = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if (options.bytes === $String)
                        object.hash = "";
                    else {
                        object.hash = [];
                        if (options.bytes !== $Array)
                            object.hash = $util.newBuffer(object.hash);
                    }
                    if (options.bytes === $String)
                        object.root = "";
                    else {
                        object.root = [];
                        if (options.bytes !== $Array)
                            object.root = $util.newBuffer(object.root);
                    }
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.timeMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.timeMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if (options.bytes === $String)
                        object.key = "";
                    else {
                        object.key = [];
                        if (options.bytes !== $Array)
                            object.key = $util.newBuffer(object.key);
                    }
                    if (options.bytes === $String)
                        object.signature = "";
                    else {
                        object.signature = [];
                        if (options.bytes !== $Array)
                            object.signature = $util.newBuffer(object.signature);
                    }
                }
                if (message.generation != null && $Object.hasOwnProperty.call(message, "generation"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.generation = typeof message.generation === "number" ? $BigInt(message.generation) : $util.Long.fromBits(message.generation.low >>> 0, message.generation.high >>> 0, true).toBigInt();
                    else if (typeof message.generation === "number")
                        object.generation = options.longs === $String ? $String(message.generation) : message.generation;
                    else
                        object.generation = options.longs === $String ? $util.Long.prototype.toString.call(message.generation) : options.longs === $Number ? new $util.LongBits(message.generation.low >>> 0, message.generation.high >>> 0).toNumber(true) : message.generation;
                if (message.row != null && $Object.hasOwnProperty.call(message, "row"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.row = typeof message.row === "number" ? $BigInt(message.row) : $util.Long.fromBits(message.row.low >>> 0, message.row.high >>> 0, true).toBigInt();
                    else if (typeof message.row === "number")
                        object.row = options.longs === $String ? $String(message.row) : message.row;
                    else
                        object.row = options.longs === $String ? $util.Long.prototype.toString.call(message.row) : options.longs === $Number ? new $util.LongBits(message.row.low >>> 0, message.row.high >>> 0).toNumber(true) : message.row;
                if (message.hash != null && $Object.hasOwnProperty.call(message, "hash"))
                    object.hash = options.bytes === $String ? $util.base64.encode(message.hash, 0, message.hash.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.hash) : message.hash;
                if (message.root != null && $Object.hasOwnProperty.call(message, "root"))
                    object.root = options.bytes === $String ? $util.base64.encode(message.root, 0, message.root.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.root) : message.root;
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.timeMs = typeof message.timeMs === "number" ? $BigInt(message.timeMs) : $util.Long.fromBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0, true).toBigInt();
                    else if (typeof message.timeMs === "number")
                        object.timeMs = options.longs === $String ? $String(message.timeMs) : message.timeMs;
                    else
                        object.timeMs = options.longs === $String ? $util.Long.prototype.toString.call(message.timeMs) : options.longs === $Number ? new $util.LongBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0).toNumber(true) : message.timeMs;
                if (message.key != null && $Object.hasOwnProperty.call(message, "key"))
                    object.key = options.bytes === $String ? $util.base64.encode(message.key, 0, message.key.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.key) : message.key;
                if (message.signature != null && $Object.hasOwnProperty.call(message, "signature"))
                    object.signature = options.bytes === $String ? $util.base64.encode(message.signature, 0, message.signature.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.signature) : message.signature;
                return object;
            };

            /**
             * Converts this CountersignedHead to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.CountersignedHead
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            CountersignedHead.prototype.toJSON = function() {
                return CountersignedHead.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for CountersignedHead
             * @function getTypeUrl
             * @memberof tillbridge.v1.CountersignedHead
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            CountersignedHead.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.CountersignedHead";
            };

            return CountersignedHead;
        })();

        v1.JournalTree = (function() {

            /**
             * Properties of a JournalTree.
             * @typedef {Object} tillbridge.v1.JournalTree.$Properties
             * @property {number|null} [row] JournalTree row
             * @property {Uint8Array|null} [hash] JournalTree hash
             * @property {Uint8Array|null} [root] JournalTree root
             * @property {tillbridge.v1.CountersignedHead.$Properties|null} [since] JournalTree since
             * @property {Array.<Uint8Array>|null} [consistency] JournalTree consistency
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a JournalTree.
             * @memberof tillbridge.v1
             * @interface IJournalTree
             * @augments tillbridge.v1.JournalTree.$Properties
             * @deprecated Use tillbridge.v1.JournalTree.$Properties instead.
             */

            /**
             * Shape of a JournalTree.
             * @typedef {tillbridge.v1.JournalTree.$Properties} tillbridge.v1.JournalTree.$Shape
             */

            /**
             * Constructs a new JournalTree.
             * @memberof tillbridge.v1
             * @classdesc Represents a JournalTree.
             * @constructor
             * @param {tillbridge.v1.JournalTree.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const JournalTree = function (properties) {
                this.consistency = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * JournalTree row.
             * @member {number} row
             * @memberof tillbridge.v1.JournalTree
             * @instance
             */
            JournalTree.prototype.row = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * JournalTree hash.
             * @member {Uint8Array} hash
             * @memberof tillbridge.v1.JournalTree
             * @instance
             */
            JournalTree.prototype.hash = $util.newBuffer([]);

            /**
             * JournalTree root.
             * @member {Uint8Array} root
             * @memberof tillbridge.v1.JournalTree
             * @instance
             */
            JournalTree.prototype.root = $util.newBuffer([]);

            /**
             * JournalTree since.
             * @member {tillbridge.v1.CountersignedHead.$Properties|null|undefined} since
             * @memberof tillbridge.v1.JournalTree
             * @instance
             */
            JournalTree.prototype.since = null;

            /**
             * JournalTree consistency.
             * @member {Array.<Uint8Array>} consistency
             * @memberof tillbridge.v1.JournalTree
             * @instance
             */
            JournalTree.prototype.consistency = $util.emptyArray;

            /**
             * Encodes the specified JournalTree message. Does not implicitly {@link tillbridge.v1.JournalTree.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.JournalTree
             * @static
             * @param {tillbridge.v1.JournalTree.$Properties} message JournalTree message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            JournalTree.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.row != null && $Object.hasOwnProperty.call(message, "row") && (typeof message.row === "object" ? message.row.low || message.row.high : message.row !== 0))
                    writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.row);
                if (message.hash != null && $Object.hasOwnProperty.call(message, "hash") && message.hash.length)
                    writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.hash);
                if (message.root != null && $Object.hasOwnProperty.call(message, "root") && message.root.length)
                    writer.uint32(/* id 3, wireType 2 =*/26).bytes(message.root);
                if (message.since != null && $Object.hasOwnProperty.call(message, "since"))
                    $root.tillbridge.v1.CountersignedHead.encode(message.since, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                if (message.consistency != null && message.consistency.length)
                    for (let i = 0; i < message.consistency.length; ++i)
                        writer.uint32(/* id 5, wireType 2 =*/42).bytes(message.consistency[i]);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a JournalTree message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.JournalTree
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.JournalTree & tillbridge.v1.JournalTree.$Shape} JournalTree
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            JournalTree.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.JournalTree();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.row = value;
                            else
                                delete message.row;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.hash = value;
                            else
                                delete message.hash;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.root = value;
                            else
                                delete message.root;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.since = $root.tillbridge.v1.CountersignedHead.decode(reader, reader.size(), $undefined, _depth + 1, message.since);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if (!(message.consistency && message.consistency.length))
                                message.consistency = [];
                            message.consistency.push(reader.bytes());
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a JournalTree message.
             * @function verify
             * @memberof tillbridge.v1.JournalTree
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            JournalTree.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.row != null && $Object.hasOwnProperty.call(message, "row"))
                    if (!$util.isInteger(message.row) && !(message.row && $util.isInteger(message.row.low) && $util.isInteger(message.row.high)))
                        return "row: integer|Long expected";
                if (message.hash != null && $Object.hasOwnProperty.call(message, "hash"))
                    if (!(message.hash && typeof message.hash.length === "number" || $util.isString(message.hash)))
                        return "hash: buffer expected";
                if (message.root != null && $Object.hasOwnProperty.call(message, "root"))
                    if (!(message.root && typeof message.root.length === "number" || $util.isString(message.root)))
                        return "root: buffer expected";
                if (message.since != null && $Object.hasOwnProperty.call(message, "since")) {
                    let error = $root.tillbridge.v1.CountersignedHead.verify(message.since, _depth + 1);
                    if (error)
                        return "since." + error;
                }
                if (message.consistency != null && $Object.hasOwnProperty.call(message, "consistency")) {
                    if (!$Array.isArray(message.consistency))
                        return "consistency: array expected";
                    for (let i = 0; i < message.consistency.length; ++i)
                        if (!(message.consistency[i] && typeof message.consistency[i].length === "number" || $util.isString(message.consistency[i])))
                            return "consistency: buffer[] expected";
                }
                return null;
            };

            /**
             * Creates a JournalTree message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.JournalTree
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.JournalTree} JournalTree
             */
            JournalTree.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.JournalTree)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.JournalTree: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.JournalTree();
                if (object.row != null)
                    if (typeof object.row === "object" ? object.row.low || object.row.high : $Number(object.row) !== 0)
                        if ($util.Long)
                            message.row = $util.Long.fromValue(object.row, true);
                        else if (typeof object.row === "string")
                            message.row = $parseInt(object.row, 10);
                        else if (typeof object.row === "number")
                            message.row = object.row;
                        else if (typeof object.row === "object")
                            message.row = new $util.LongBits(object.row.low >>> 0, object.row.high >>> 0).toNumber(true);
                if (object.hash != null)
                    if (object.hash.length)
                        if (typeof object.hash === "string")
                            $util.base64.decode(object.hash, message.hash = $util.newBuffer($util.base64.length(object.hash)), 0);
                        else if (object.hash.length >= 0)
                            message.hash = object.hash;
                if (object.root != null)
                    if (object.root.length)
                        if (typeof object.root === "string")
                            $util.base64.decode(object.root, message.root = $util.newBuffer($util.base64.length(object.root)), 0);
                        else if (object.root.length >= 0)
                            message.root = object.root;
                if (object.since != null) {
                    if (!$util.isObject(object.since))
                        throw $TypeError(".tillbridge.v1.JournalTree.since: object expected");
                    message.since = $root.tillbridge.v1.CountersignedHead.fromObject(object.since, _depth + 1);
                }
                if (object.consistency) {
                    if (!$Array.isArray(object.consistency))
                        throw $TypeError(".tillbridge.v1.JournalTree.consistency: array expected");
                    message.consistency = $Array(object.consistency.length);
                    for (let i = 0; i < object.consistency.length; ++i)
                        if (typeof object.consistency[i] === "string")
                            $util.base64.decode(object.consistency[i], message.consistency[i] = $util.newBuffer($util.base64.length(object.consistency[i])), 0);
                        else if (object.consistency[i].length >= 0)
                            message.consistency[i] = object.consistency[i];
                }
                return message;
            };

            /**
             * Creates a plain object from a JournalTree message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.JournalTree
             * @static
             * @param {tillbridge.v1.JournalTree} message JournalTree
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            JournalTree.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults)
                    object.consistency = [];
                if (options.defaults) {
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.row = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.row = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if (options.bytes === $String)
                        object.hash = "";
                    else {
                        object.hash = [];
                        if (options.bytes !== $Array)
                            object.hash = $util.newBuffer(object.hash);
                    }
                    if (options.bytes === $String)
                        object.root = "";
                    else {
                        object.root = [];
                        if (options.bytes !== $Array)
                            object.root = $util.newBuffer(object.root);
                    }
                    object.since = null;
                }
                if (message.row != null && $Object.hasOwnProperty.call(message, "row"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.row = typeof message.row === "number" ? $BigInt(message.row) : $util.Long.fromBits(message.row.low >>> 0, message.row.high >>> 0, true).toBigInt();
                    else if (typeof message.row === "number")
                        object.row = options.longs === $String ? $String(message.row) : message.row;
                    else
                        object.row = options.longs === $String ? $util.Long.prototype.toString.call(message.row) : options.longs === $Number ? new $util.LongBits(message.row.low >>> 0, message.row.high >>> 0).toNumber(true) : message.row;
                if (message.hash != null && $Object.hasOwnProperty.call(message, "hash"))
                    object.hash = options.bytes === $String ? $util.base64.encode(message.hash, 0, message.hash.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.hash) : message.hash;
                if (message.root != null && $Object.hasOwnProperty.call(message, "root"))
                    object.root = options.bytes === $String ? $util.base64.encode(message.root, 0, message.root.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.root) : message.root;
                if (message.since != null && $Object.hasOwnProperty.call(message, "since"))
                    object.since = $root.tillbridge.v1.CountersignedHead.toObject(message.since, options, _depth + 1);
                if (message.consistency && message.consistency.length) {
                    object.consistency = $Array(message.consistency.length);
                    for (let j = 0; j < message.consistency.length; ++j)
                        object.consistency[j] = options.bytes === $String ? $util.base64.encode(message.consistency[j], 0, message.consistency[j].length) : options.bytes === $Array ? $Array.prototype.slice.call(message.consistency[j]) : message.consistency[j];
                }
                return object;
            };

            /**
             * Converts this JournalTree to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.JournalTree
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            JournalTree.prototype.toJSON = function() {
                return JournalTree.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for JournalTree
             * @function getTypeUrl
             * @memberof tillbridge.v1.JournalTree
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            JournalTree.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.JournalTree";
            };

            return JournalTree;
        })();

        /**
         * JournalVerdict enum.
         * @name tillbridge.v1.JournalVerdict
         * @enum {number}
         * @property {number} JOURNAL_VERDICT_UNSPECIFIED=0 JOURNAL_VERDICT_UNSPECIFIED value
         * @property {number} CONTINUES=1 CONTINUES value
         * @property {number} BEHIND=2 BEHIND value
         * @property {number} FORKED=3 FORKED value
         */
        v1.JournalVerdict = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "JOURNAL_VERDICT_UNSPECIFIED"] = 0;
            values[valuesById[1] = "CONTINUES"] = 1;
            values[valuesById[2] = "BEHIND"] = 2;
            values[valuesById[3] = "FORKED"] = 3;
            return values;
        })();

        v1.StreamPosition = (function() {

            /**
             * Properties of a StreamPosition.
             * @typedef {Object} tillbridge.v1.StreamPosition.$Properties
             * @property {string|null} [terminalId] StreamPosition terminalId
             * @property {number|null} [nextSequence] StreamPosition nextSequence
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a StreamPosition.
             * @memberof tillbridge.v1
             * @interface IStreamPosition
             * @augments tillbridge.v1.StreamPosition.$Properties
             * @deprecated Use tillbridge.v1.StreamPosition.$Properties instead.
             */

            /**
             * Shape of a StreamPosition.
             * @typedef {tillbridge.v1.StreamPosition.$Properties} tillbridge.v1.StreamPosition.$Shape
             */

            /**
             * Constructs a new StreamPosition.
             * @memberof tillbridge.v1
             * @classdesc Represents a StreamPosition.
             * @constructor
             * @param {tillbridge.v1.StreamPosition.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const StreamPosition = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * StreamPosition terminalId.
             * @member {string} terminalId
             * @memberof tillbridge.v1.StreamPosition
             * @instance
             */
            StreamPosition.prototype.terminalId = "";

            /**
             * StreamPosition nextSequence.
             * @member {number} nextSequence
             * @memberof tillbridge.v1.StreamPosition
             * @instance
             */
            StreamPosition.prototype.nextSequence = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Encodes the specified StreamPosition message. Does not implicitly {@link tillbridge.v1.StreamPosition.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.StreamPosition
             * @static
             * @param {tillbridge.v1.StreamPosition.$Properties} message StreamPosition message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            StreamPosition.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId") && message.terminalId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.terminalId);
                if (message.nextSequence != null && $Object.hasOwnProperty.call(message, "nextSequence") && (typeof message.nextSequence === "object" ? message.nextSequence.low || message.nextSequence.high : message.nextSequence !== 0))
                    writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.nextSequence);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a StreamPosition message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.StreamPosition
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.StreamPosition & tillbridge.v1.StreamPosition.$Shape} StreamPosition
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            StreamPosition.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.StreamPosition();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.terminalId = value;
                            else
                                delete message.terminalId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.nextSequence = value;
                            else
                                delete message.nextSequence;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a StreamPosition message.
             * @function verify
             * @memberof tillbridge.v1.StreamPosition
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            StreamPosition.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    if (!$util.isString(message.terminalId))
                        return "terminalId: string expected";
                if (message.nextSequence != null && $Object.hasOwnProperty.call(message, "nextSequence"))
                    if (!$util.isInteger(message.nextSequence) && !(message.nextSequence && $util.isInteger(message.nextSequence.low) && $util.isInteger(message.nextSequence.high)))
                        return "nextSequence: integer|Long expected";
                return null;
            };

            /**
             * Creates a StreamPosition message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.StreamPosition
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.StreamPosition} StreamPosition
             */
            StreamPosition.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.StreamPosition)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.StreamPosition: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.StreamPosition();
                if (object.terminalId != null)
                    if (typeof object.terminalId !== "string" || object.terminalId.length)
                        message.terminalId = $String(object.terminalId);
                if (object.nextSequence != null)
                    if (typeof object.nextSequence === "object" ? object.nextSequence.low || object.nextSequence.high : $Number(object.nextSequence) !== 0)
                        if ($util.Long)
                            message.nextSequence = $util.Long.fromValue(object.nextSequence, true);
                        else if (typeof object.nextSequence === "string")
                            message.nextSequence = $parseInt(object.nextSequence, 10);
                        else if (typeof object.nextSequence === "number")
                            message.nextSequence = object.nextSequence;
                        else if (typeof object.nextSequence === "object")
                            message.nextSequence = new $util.LongBits(object.nextSequence.low >>> 0, object.nextSequence.high >>> 0).toNumber(true);
                return message;
            };

            /**
             * Creates a plain object from a StreamPosition message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.StreamPosition
             * @static
             * @param {tillbridge.v1.StreamPosition} message StreamPosition
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            StreamPosition.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.terminalId = "";
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.nextSequence = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.nextSequence = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                }
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    object.terminalId = message.terminalId;
                if (message.nextSequence != null && $Object.hasOwnProperty.call(message, "nextSequence"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.nextSequence = typeof message.nextSequence === "number" ? $BigInt(message.nextSequence) : $util.Long.fromBits(message.nextSequence.low >>> 0, message.nextSequence.high >>> 0, true).toBigInt();
                    else if (typeof message.nextSequence === "number")
                        object.nextSequence = options.longs === $String ? $String(message.nextSequence) : message.nextSequence;
                    else
                        object.nextSequence = options.longs === $String ? $util.Long.prototype.toString.call(message.nextSequence) : options.longs === $Number ? new $util.LongBits(message.nextSequence.low >>> 0, message.nextSequence.high >>> 0).toNumber(true) : message.nextSequence;
                return object;
            };

            /**
             * Converts this StreamPosition to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.StreamPosition
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            StreamPosition.prototype.toJSON = function() {
                return StreamPosition.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for StreamPosition
             * @function getTypeUrl
             * @memberof tillbridge.v1.StreamPosition
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            StreamPosition.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.StreamPosition";
            };

            return StreamPosition;
        })();

        v1.Goodbye = (function() {

            /**
             * Properties of a Goodbye.
             * @typedef {Object} tillbridge.v1.Goodbye.$Properties
             * @property {tillbridge.v1.Goodbye.Code|null} [code] Goodbye code
             * @property {string|null} [reason] Goodbye reason
             * @property {number|null} [retryAfterMs] Goodbye retryAfterMs
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Goodbye.
             * @memberof tillbridge.v1
             * @interface IGoodbye
             * @augments tillbridge.v1.Goodbye.$Properties
             * @deprecated Use tillbridge.v1.Goodbye.$Properties instead.
             */

            /**
             * Shape of a Goodbye.
             * @typedef {tillbridge.v1.Goodbye.$Properties} tillbridge.v1.Goodbye.$Shape
             */

            /**
             * Constructs a new Goodbye.
             * @memberof tillbridge.v1
             * @classdesc Represents a Goodbye.
             * @constructor
             * @param {tillbridge.v1.Goodbye.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Goodbye = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Goodbye code.
             * @member {tillbridge.v1.Goodbye.Code} code
             * @memberof tillbridge.v1.Goodbye
             * @instance
             */
            Goodbye.prototype.code = 0;

            /**
             * Goodbye reason.
             * @member {string} reason
             * @memberof tillbridge.v1.Goodbye
             * @instance
             */
            Goodbye.prototype.reason = "";

            /**
             * Goodbye retryAfterMs.
             * @member {number} retryAfterMs
             * @memberof tillbridge.v1.Goodbye
             * @instance
             */
            Goodbye.prototype.retryAfterMs = 0;

            /**
             * Encodes the specified Goodbye message. Does not implicitly {@link tillbridge.v1.Goodbye.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Goodbye
             * @static
             * @param {tillbridge.v1.Goodbye.$Properties} message Goodbye message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Goodbye.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.code != null && $Object.hasOwnProperty.call(message, "code") && message.code !== 0)
                    writer.uint32(/* id 1, wireType 0 =*/8).int32(message.code);
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.reason);
                if (message.retryAfterMs != null && $Object.hasOwnProperty.call(message, "retryAfterMs") && message.retryAfterMs !== 0)
                    writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.retryAfterMs);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Goodbye message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Goodbye
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Goodbye & tillbridge.v1.Goodbye.$Shape} Goodbye
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Goodbye.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Goodbye();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.code = value;
                            else
                                delete message.code;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reason = value;
                            else
                                delete message.reason;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.retryAfterMs = value;
                            else
                                delete message.retryAfterMs;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Goodbye message.
             * @function verify
             * @memberof tillbridge.v1.Goodbye
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Goodbye.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.code != null && $Object.hasOwnProperty.call(message, "code"))
                    if (typeof message.code !== "number" || (message.code | 0) !== message.code)
                        return "code: enum value expected";
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    if (!$util.isString(message.reason))
                        return "reason: string expected";
                if (message.retryAfterMs != null && $Object.hasOwnProperty.call(message, "retryAfterMs"))
                    if (!$util.isInteger(message.retryAfterMs))
                        return "retryAfterMs: integer expected";
                return null;
            };

            /**
             * Creates a Goodbye message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Goodbye
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Goodbye} Goodbye
             */
            Goodbye.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Goodbye)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Goodbye: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Goodbye();
                if (object.code !== 0 && (typeof object.code !== "string" || $root.tillbridge.v1.Goodbye.Code[object.code] !== 0))
                    switch (object.code) {
                    case "CODE_UNSPECIFIED":
                    case 0:
                        message.code = 0;
                        break;
                    case "UNAUTHENTICATED":
                    case 1:
                        message.code = 1;
                        break;
                    case "VERSION_MISMATCH":
                    case 2:
                        message.code = 2;
                        break;
                    case "SUPERSEDED":
                    case 3:
                        message.code = 3;
                        break;
                    case "FENCED":
                    case 4:
                        message.code = 4;
                        break;
                    case "PROTOCOL_ERROR":
                    case 5:
                        message.code = 5;
                        break;
                    case "GOING_DOWN":
                    case 6:
                        message.code = 6;
                        break;
                    case "OVERLOADED":
                    case 7:
                        message.code = 7;
                        break;
                    case "GENERATION_NOT_ALLOWED":
                    case 8:
                        message.code = 8;
                        break;
                    case "TURN_LATER":
                    case 9:
                        message.code = 9;
                        break;
                    default:
                        if (typeof object.code === "number" && (object.code | 0) === object.code)
                            message.code = object.code;
                    }
                if (object.reason != null)
                    if (typeof object.reason !== "string" || object.reason.length)
                        message.reason = $String(object.reason);
                if (object.retryAfterMs != null)
                    if ($Number(object.retryAfterMs) !== 0)
                        message.retryAfterMs = object.retryAfterMs >>> 0;
                return message;
            };

            /**
             * Creates a plain object from a Goodbye message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Goodbye
             * @static
             * @param {tillbridge.v1.Goodbye} message Goodbye
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Goodbye.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.code = options.enums === $String ? "CODE_UNSPECIFIED" : 0;
                    object.reason = "";
                    object.retryAfterMs = 0;
                }
                if (message.code != null && $Object.hasOwnProperty.call(message, "code"))
                    object.code = options.enums === $String ? $root.tillbridge.v1.Goodbye.Code[message.code] === $undefined ? message.code : $root.tillbridge.v1.Goodbye.Code[message.code] : message.code;
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    object.reason = message.reason;
                if (message.retryAfterMs != null && $Object.hasOwnProperty.call(message, "retryAfterMs"))
                    object.retryAfterMs = message.retryAfterMs;
                return object;
            };

            /**
             * Converts this Goodbye to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Goodbye
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Goodbye.prototype.toJSON = function() {
                return Goodbye.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Goodbye
             * @function getTypeUrl
             * @memberof tillbridge.v1.Goodbye
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Goodbye.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Goodbye";
            };

            /**
             * Code enum.
             * @name tillbridge.v1.Goodbye.Code
             * @enum {number}
             * @property {number} CODE_UNSPECIFIED=0 CODE_UNSPECIFIED value
             * @property {number} UNAUTHENTICATED=1 UNAUTHENTICATED value
             * @property {number} VERSION_MISMATCH=2 VERSION_MISMATCH value
             * @property {number} SUPERSEDED=3 SUPERSEDED value
             * @property {number} FENCED=4 FENCED value
             * @property {number} PROTOCOL_ERROR=5 PROTOCOL_ERROR value
             * @property {number} GOING_DOWN=6 GOING_DOWN value
             * @property {number} OVERLOADED=7 OVERLOADED value
             * @property {number} GENERATION_NOT_ALLOWED=8 GENERATION_NOT_ALLOWED value
             * @property {number} TURN_LATER=9 TURN_LATER value
             */
            Goodbye.Code = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "CODE_UNSPECIFIED"] = 0;
                values[valuesById[1] = "UNAUTHENTICATED"] = 1;
                values[valuesById[2] = "VERSION_MISMATCH"] = 2;
                values[valuesById[3] = "SUPERSEDED"] = 3;
                values[valuesById[4] = "FENCED"] = 4;
                values[valuesById[5] = "PROTOCOL_ERROR"] = 5;
                values[valuesById[6] = "GOING_DOWN"] = 6;
                values[valuesById[7] = "OVERLOADED"] = 7;
                values[valuesById[8] = "GENERATION_NOT_ALLOWED"] = 8;
                values[valuesById[9] = "TURN_LATER"] = 9;
                return values;
            })();

            return Goodbye;
        })();

        v1.TerminalStatus = (function() {

            /**
             * Properties of a TerminalStatus.
             * @typedef {Object} tillbridge.v1.TerminalStatus.$Properties
             * @property {string|null} [terminalId] TerminalStatus terminalId
             * @property {string|null} [deviceType] TerminalStatus deviceType
             * @property {string|null} [state] TerminalStatus state
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a TerminalStatus.
             * @memberof tillbridge.v1
             * @interface ITerminalStatus
             * @augments tillbridge.v1.TerminalStatus.$Properties
             * @deprecated Use tillbridge.v1.TerminalStatus.$Properties instead.
             */

            /**
             * Shape of a TerminalStatus.
             * @typedef {tillbridge.v1.TerminalStatus.$Properties} tillbridge.v1.TerminalStatus.$Shape
             */

            /**
             * Constructs a new TerminalStatus.
             * @memberof tillbridge.v1
             * @classdesc Represents a TerminalStatus.
             * @constructor
             * @param {tillbridge.v1.TerminalStatus.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const TerminalStatus = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * TerminalStatus terminalId.
             * @member {string} terminalId
             * @memberof tillbridge.v1.TerminalStatus
             * @instance
             */
            TerminalStatus.prototype.terminalId = "";

            /**
             * TerminalStatus deviceType.
             * @member {string} deviceType
             * @memberof tillbridge.v1.TerminalStatus
             * @instance
             */
            TerminalStatus.prototype.deviceType = "";

            /**
             * TerminalStatus state.
             * @member {string} state
             * @memberof tillbridge.v1.TerminalStatus
             * @instance
             */
            TerminalStatus.prototype.state = "";

            /**
             * Encodes the specified TerminalStatus message. Does not implicitly {@link tillbridge.v1.TerminalStatus.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.TerminalStatus
             * @static
             * @param {tillbridge.v1.TerminalStatus.$Properties} message TerminalStatus message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            TerminalStatus.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId") && message.terminalId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.terminalId);
                if (message.deviceType != null && $Object.hasOwnProperty.call(message, "deviceType") && message.deviceType !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.deviceType);
                if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.state);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a TerminalStatus message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.TerminalStatus
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.TerminalStatus & tillbridge.v1.TerminalStatus.$Shape} TerminalStatus
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            TerminalStatus.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.TerminalStatus();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.terminalId = value;
                            else
                                delete message.terminalId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.deviceType = value;
                            else
                                delete message.deviceType;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.state = value;
                            else
                                delete message.state;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a TerminalStatus message.
             * @function verify
             * @memberof tillbridge.v1.TerminalStatus
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            TerminalStatus.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    if (!$util.isString(message.terminalId))
                        return "terminalId: string expected";
                if (message.deviceType != null && $Object.hasOwnProperty.call(message, "deviceType"))
                    if (!$util.isString(message.deviceType))
                        return "deviceType: string expected";
                if (message.state != null && $Object.hasOwnProperty.call(message, "state"))
                    if (!$util.isString(message.state))
                        return "state: string expected";
                return null;
            };

            /**
             * Creates a TerminalStatus message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.TerminalStatus
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.TerminalStatus} TerminalStatus
             */
            TerminalStatus.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.TerminalStatus)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.TerminalStatus: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.TerminalStatus();
                if (object.terminalId != null)
                    if (typeof object.terminalId !== "string" || object.terminalId.length)
                        message.terminalId = $String(object.terminalId);
                if (object.deviceType != null)
                    if (typeof object.deviceType !== "string" || object.deviceType.length)
                        message.deviceType = $String(object.deviceType);
                if (object.state != null)
                    if (typeof object.state !== "string" || object.state.length)
                        message.state = $String(object.state);
                return message;
            };

            /**
             * Creates a plain object from a TerminalStatus message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.TerminalStatus
             * @static
             * @param {tillbridge.v1.TerminalStatus} message TerminalStatus
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            TerminalStatus.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.terminalId = "";
                    object.deviceType = "";
                    object.state = "";
                }
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    object.terminalId = message.terminalId;
                if (message.deviceType != null && $Object.hasOwnProperty.call(message, "deviceType"))
                    object.deviceType = message.deviceType;
                if (message.state != null && $Object.hasOwnProperty.call(message, "state"))
                    object.state = message.state;
                return object;
            };

            /**
             * Converts this TerminalStatus to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.TerminalStatus
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            TerminalStatus.prototype.toJSON = function() {
                return TerminalStatus.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for TerminalStatus
             * @function getTypeUrl
             * @memberof tillbridge.v1.TerminalStatus
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            TerminalStatus.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.TerminalStatus";
            };

            return TerminalStatus;
        })();

        v1.Exposure = (function() {

            /**
             * Properties of an Exposure.
             * @typedef {Object} tillbridge.v1.Exposure.$Properties
             * @property {string|null} [terminalId] Exposure terminalId
             * @property {tillbridge.v1.Money.$Properties|null} [sum] Exposure sum
             * @property {number|null} [count] Exposure count
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an Exposure.
             * @memberof tillbridge.v1
             * @interface IExposure
             * @augments tillbridge.v1.Exposure.$Properties
             * @deprecated Use tillbridge.v1.Exposure.$Properties instead.
             */

            /**
             * Shape of an Exposure.
             * @typedef {tillbridge.v1.Exposure.$Properties} tillbridge.v1.Exposure.$Shape
             */

            /**
             * Constructs a new Exposure.
             * @memberof tillbridge.v1
             * @classdesc Represents an Exposure.
             * @constructor
             * @param {tillbridge.v1.Exposure.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Exposure = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Exposure terminalId.
             * @member {string} terminalId
             * @memberof tillbridge.v1.Exposure
             * @instance
             */
            Exposure.prototype.terminalId = "";

            /**
             * Exposure sum.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} sum
             * @memberof tillbridge.v1.Exposure
             * @instance
             */
            Exposure.prototype.sum = null;

            /**
             * Exposure count.
             * @member {number} count
             * @memberof tillbridge.v1.Exposure
             * @instance
             */
            Exposure.prototype.count = 0;

            /**
             * Encodes the specified Exposure message. Does not implicitly {@link tillbridge.v1.Exposure.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Exposure
             * @static
             * @param {tillbridge.v1.Exposure.$Properties} message Exposure message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Exposure.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId") && message.terminalId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.terminalId);
                if (message.sum != null && $Object.hasOwnProperty.call(message, "sum"))
                    $root.tillbridge.v1.Money.encode(message.sum, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                if (message.count != null && $Object.hasOwnProperty.call(message, "count") && message.count !== 0)
                    writer.uint32(/* id 3, wireType 0 =*/24).uint32(message.count);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an Exposure message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Exposure
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Exposure & tillbridge.v1.Exposure.$Shape} Exposure
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Exposure.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Exposure();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.terminalId = value;
                            else
                                delete message.terminalId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.sum = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.sum);
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.count = value;
                            else
                                delete message.count;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an Exposure message.
             * @function verify
             * @memberof tillbridge.v1.Exposure
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Exposure.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    if (!$util.isString(message.terminalId))
                        return "terminalId: string expected";
                if (message.sum != null && $Object.hasOwnProperty.call(message, "sum")) {
                    let error = $root.tillbridge.v1.Money.verify(message.sum, _depth + 1);
                    if (error)
                        return "sum." + error;
                }
                if (message.count != null && $Object.hasOwnProperty.call(message, "count"))
                    if (!$util.isInteger(message.count))
                        return "count: integer expected";
                return null;
            };

            /**
             * Creates an Exposure message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Exposure
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Exposure} Exposure
             */
            Exposure.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Exposure)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Exposure: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Exposure();
                if (object.terminalId != null)
                    if (typeof object.terminalId !== "string" || object.terminalId.length)
                        message.terminalId = $String(object.terminalId);
                if (object.sum != null) {
                    if (!$util.isObject(object.sum))
                        throw $TypeError(".tillbridge.v1.Exposure.sum: object expected");
                    message.sum = $root.tillbridge.v1.Money.fromObject(object.sum, _depth + 1);
                }
                if (object.count != null)
                    if ($Number(object.count) !== 0)
                        message.count = object.count >>> 0;
                return message;
            };

            /**
             * Creates a plain object from an Exposure message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Exposure
             * @static
             * @param {tillbridge.v1.Exposure} message Exposure
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Exposure.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.terminalId = "";
                    object.sum = null;
                    object.count = 0;
                }
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    object.terminalId = message.terminalId;
                if (message.sum != null && $Object.hasOwnProperty.call(message, "sum"))
                    object.sum = $root.tillbridge.v1.Money.toObject(message.sum, options, _depth + 1);
                if (message.count != null && $Object.hasOwnProperty.call(message, "count"))
                    object.count = message.count;
                return object;
            };

            /**
             * Converts this Exposure to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Exposure
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Exposure.prototype.toJSON = function() {
                return Exposure.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Exposure
             * @function getTypeUrl
             * @memberof tillbridge.v1.Exposure
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Exposure.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Exposure";
            };

            return Exposure;
        })();

        v1.Heartbeat = (function() {

            /**
             * Properties of a Heartbeat.
             * @typedef {Object} tillbridge.v1.Heartbeat.$Properties
             * @property {number|null} [queueDepth] Heartbeat queueDepth
             * @property {number|null} [parked] Heartbeat parked
             * @property {number|null} [oldestAgeSeconds] Heartbeat oldestAgeSeconds
             * @property {Array.<tillbridge.v1.Exposure.$Properties>|null} [exposure] Heartbeat exposure
             * @property {Array.<tillbridge.v1.TerminalStatus.$Properties>|null} [terminals] Heartbeat terminals
             * @property {number|null} [timeMs] Heartbeat timeMs
             * @property {number|null} [journalRow] Heartbeat journalRow
             * @property {Uint8Array|null} [journalHash] Heartbeat journalHash
             * @property {tillbridge.v1.JournalHead.$Properties|null} [anchor] Heartbeat anchor
             * @property {tillbridge.v1.JournalTree.$Properties|null} [tree] Heartbeat tree
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Heartbeat.
             * @memberof tillbridge.v1
             * @interface IHeartbeat
             * @augments tillbridge.v1.Heartbeat.$Properties
             * @deprecated Use tillbridge.v1.Heartbeat.$Properties instead.
             */

            /**
             * Shape of a Heartbeat.
             * @typedef {tillbridge.v1.Heartbeat.$Properties} tillbridge.v1.Heartbeat.$Shape
             */

            /**
             * Constructs a new Heartbeat.
             * @memberof tillbridge.v1
             * @classdesc Represents a Heartbeat.
             * @constructor
             * @param {tillbridge.v1.Heartbeat.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Heartbeat = function (properties) {
                this.exposure = [];
                this.terminals = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Heartbeat queueDepth.
             * @member {number} queueDepth
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.queueDepth = 0;

            /**
             * Heartbeat parked.
             * @member {number} parked
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.parked = 0;

            /**
             * Heartbeat oldestAgeSeconds.
             * @member {number} oldestAgeSeconds
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.oldestAgeSeconds = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Heartbeat exposure.
             * @member {Array.<tillbridge.v1.Exposure.$Properties>} exposure
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.exposure = $util.emptyArray;

            /**
             * Heartbeat terminals.
             * @member {Array.<tillbridge.v1.TerminalStatus.$Properties>} terminals
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.terminals = $util.emptyArray;

            /**
             * Heartbeat timeMs.
             * @member {number} timeMs
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.timeMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Heartbeat journalRow.
             * @member {number} journalRow
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.journalRow = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * Heartbeat journalHash.
             * @member {Uint8Array} journalHash
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.journalHash = $util.newBuffer([]);

            /**
             * Heartbeat anchor.
             * @member {tillbridge.v1.JournalHead.$Properties|null|undefined} anchor
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.anchor = null;

            /**
             * Heartbeat tree.
             * @member {tillbridge.v1.JournalTree.$Properties|null|undefined} tree
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             */
            Heartbeat.prototype.tree = null;

            /**
             * Encodes the specified Heartbeat message. Does not implicitly {@link tillbridge.v1.Heartbeat.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Heartbeat
             * @static
             * @param {tillbridge.v1.Heartbeat.$Properties} message Heartbeat message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Heartbeat.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.queueDepth != null && $Object.hasOwnProperty.call(message, "queueDepth") && message.queueDepth !== 0)
                    writer.uint32(/* id 1, wireType 0 =*/8).uint32(message.queueDepth);
                if (message.parked != null && $Object.hasOwnProperty.call(message, "parked") && message.parked !== 0)
                    writer.uint32(/* id 2, wireType 0 =*/16).uint32(message.parked);
                if (message.oldestAgeSeconds != null && $Object.hasOwnProperty.call(message, "oldestAgeSeconds") && (typeof message.oldestAgeSeconds === "object" ? message.oldestAgeSeconds.low || message.oldestAgeSeconds.high : message.oldestAgeSeconds !== 0))
                    writer.uint32(/* id 3, wireType 0 =*/24).uint64(message.oldestAgeSeconds);
                if (message.exposure != null && message.exposure.length)
                    for (let i = 0; i < message.exposure.length; ++i)
                        $root.tillbridge.v1.Exposure.encode(message.exposure[i], writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                if (message.terminals != null && message.terminals.length)
                    for (let i = 0; i < message.terminals.length; ++i)
                        $root.tillbridge.v1.TerminalStatus.encode(message.terminals[i], writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs") && (typeof message.timeMs === "object" ? message.timeMs.low || message.timeMs.high : message.timeMs !== 0))
                    writer.uint32(/* id 6, wireType 0 =*/48).uint64(message.timeMs);
                if (message.journalRow != null && $Object.hasOwnProperty.call(message, "journalRow") && (typeof message.journalRow === "object" ? message.journalRow.low || message.journalRow.high : message.journalRow !== 0))
                    writer.uint32(/* id 7, wireType 0 =*/56).uint64(message.journalRow);
                if (message.journalHash != null && $Object.hasOwnProperty.call(message, "journalHash") && message.journalHash.length)
                    writer.uint32(/* id 8, wireType 2 =*/66).bytes(message.journalHash);
                if (message.anchor != null && $Object.hasOwnProperty.call(message, "anchor"))
                    $root.tillbridge.v1.JournalHead.encode(message.anchor, writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
                if (message.tree != null && $Object.hasOwnProperty.call(message, "tree"))
                    $root.tillbridge.v1.JournalTree.encode(message.tree, writer.uint32(/* id 10, wireType 2 =*/82).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Heartbeat message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Heartbeat
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Heartbeat & tillbridge.v1.Heartbeat.$Shape} Heartbeat
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Heartbeat.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Heartbeat();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.queueDepth = value;
                            else
                                delete message.queueDepth;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.parked = value;
                            else
                                delete message.parked;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.oldestAgeSeconds = value;
                            else
                                delete message.oldestAgeSeconds;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if (!(message.exposure && message.exposure.length))
                                message.exposure = [];
                            message.exposure.push($root.tillbridge.v1.Exposure.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if (!(message.terminals && message.terminals.length))
                                message.terminals = [];
                            message.terminals.push($root.tillbridge.v1.TerminalStatus.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeMs = value;
                            else
                                delete message.timeMs;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.journalRow = value;
                            else
                                delete message.journalRow;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.journalHash = value;
                            else
                                delete message.journalHash;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            message.anchor = $root.tillbridge.v1.JournalHead.decode(reader, reader.size(), $undefined, _depth + 1, message.anchor);
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            message.tree = $root.tillbridge.v1.JournalTree.decode(reader, reader.size(), $undefined, _depth + 1, message.tree);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Heartbeat message.
             * @function verify
             * @memberof tillbridge.v1.Heartbeat
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Heartbeat.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.queueDepth != null && $Object.hasOwnProperty.call(message, "queueDepth"))
                    if (!$util.isInteger(message.queueDepth))
                        return "queueDepth: integer expected";
                if (message.parked != null && $Object.hasOwnProperty.call(message, "parked"))
                    if (!$util.isInteger(message.parked))
                        return "parked: integer expected";
                if (message.oldestAgeSeconds != null && $Object.hasOwnProperty.call(message, "oldestAgeSeconds"))
                    if (!$util.isInteger(message.oldestAgeSeconds) && !(message.oldestAgeSeconds && $util.isInteger(message.oldestAgeSeconds.low) && $util.isInteger(message.oldestAgeSeconds.high)))
                        return "oldestAgeSeconds: integer|Long expected";
                if (message.exposure != null && $Object.hasOwnProperty.call(message, "exposure")) {
                    if (!$Array.isArray(message.exposure))
                        return "exposure: array expected";
                    for (let i = 0; i < message.exposure.length; ++i) {
                        let error = $root.tillbridge.v1.Exposure.verify(message.exposure[i], _depth + 1);
                        if (error)
                            return "exposure." + error;
                    }
                }
                if (message.terminals != null && $Object.hasOwnProperty.call(message, "terminals")) {
                    if (!$Array.isArray(message.terminals))
                        return "terminals: array expected";
                    for (let i = 0; i < message.terminals.length; ++i) {
                        let error = $root.tillbridge.v1.TerminalStatus.verify(message.terminals[i], _depth + 1);
                        if (error)
                            return "terminals." + error;
                    }
                }
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (!$util.isInteger(message.timeMs) && !(message.timeMs && $util.isInteger(message.timeMs.low) && $util.isInteger(message.timeMs.high)))
                        return "timeMs: integer|Long expected";
                if (message.journalRow != null && $Object.hasOwnProperty.call(message, "journalRow"))
                    if (!$util.isInteger(message.journalRow) && !(message.journalRow && $util.isInteger(message.journalRow.low) && $util.isInteger(message.journalRow.high)))
                        return "journalRow: integer|Long expected";
                if (message.journalHash != null && $Object.hasOwnProperty.call(message, "journalHash"))
                    if (!(message.journalHash && typeof message.journalHash.length === "number" || $util.isString(message.journalHash)))
                        return "journalHash: buffer expected";
                if (message.anchor != null && $Object.hasOwnProperty.call(message, "anchor")) {
                    let error = $root.tillbridge.v1.JournalHead.verify(message.anchor, _depth + 1);
                    if (error)
                        return "anchor." + error;
                }
                if (message.tree != null && $Object.hasOwnProperty.call(message, "tree")) {
                    let error = $root.tillbridge.v1.JournalTree.verify(message.tree, _depth + 1);
                    if (error)
                        return "tree." + error;
                }
                return null;
            };

            /**
             * Creates a Heartbeat message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Heartbeat
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Heartbeat} Heartbeat
             */
            Heartbeat.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Heartbeat)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Heartbeat: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Heartbeat();
                if (object.queueDepth != null)
                    if ($Number(object.queueDepth) !== 0)
                        message.queueDepth = object.queueDepth >>> 0;
                if (object.parked != null)
                    if ($Number(object.parked) !== 0)
                        message.parked = object.parked >>> 0;
                if (object.oldestAgeSeconds != null)
                    if (typeof object.oldestAgeSeconds === "object" ? object.oldestAgeSeconds.low || object.oldestAgeSeconds.high : $Number(object.oldestAgeSeconds) !== 0)
                        if ($util.Long)
                            message.oldestAgeSeconds = $util.Long.fromValue(object.oldestAgeSeconds, true);
                        else if (typeof object.oldestAgeSeconds === "string")
                            message.oldestAgeSeconds = $parseInt(object.oldestAgeSeconds, 10);
                        else if (typeof object.oldestAgeSeconds === "number")
                            message.oldestAgeSeconds = object.oldestAgeSeconds;
                        else if (typeof object.oldestAgeSeconds === "object")
                            message.oldestAgeSeconds = new $util.LongBits(object.oldestAgeSeconds.low >>> 0, object.oldestAgeSeconds.high >>> 0).toNumber(true);
                if (object.exposure) {
                    if (!$Array.isArray(object.exposure))
                        throw $TypeError(".tillbridge.v1.Heartbeat.exposure: array expected");
                    message.exposure = $Array(object.exposure.length);
                    for (let i = 0; i < object.exposure.length; ++i) {
                        if (!$util.isObject(object.exposure[i]))
                            throw $TypeError(".tillbridge.v1.Heartbeat.exposure: object expected");
                        message.exposure[i] = $root.tillbridge.v1.Exposure.fromObject(object.exposure[i], _depth + 1);
                    }
                }
                if (object.terminals) {
                    if (!$Array.isArray(object.terminals))
                        throw $TypeError(".tillbridge.v1.Heartbeat.terminals: array expected");
                    message.terminals = $Array(object.terminals.length);
                    for (let i = 0; i < object.terminals.length; ++i) {
                        if (!$util.isObject(object.terminals[i]))
                            throw $TypeError(".tillbridge.v1.Heartbeat.terminals: object expected");
                        message.terminals[i] = $root.tillbridge.v1.TerminalStatus.fromObject(object.terminals[i], _depth + 1);
                    }
                }
                if (object.timeMs != null)
                    if (typeof object.timeMs === "object" ? object.timeMs.low || object.timeMs.high : $Number(object.timeMs) !== 0)
                        if ($util.Long)
                            message.timeMs = $util.Long.fromValue(object.timeMs, true);
                        else if (typeof object.timeMs === "string")
                            message.timeMs = $parseInt(object.timeMs, 10);
                        else if (typeof object.timeMs === "number")
                            message.timeMs = object.timeMs;
                        else if (typeof object.timeMs === "object")
                            message.timeMs = new $util.LongBits(object.timeMs.low >>> 0, object.timeMs.high >>> 0).toNumber(true);
                if (object.journalRow != null)
                    if (typeof object.journalRow === "object" ? object.journalRow.low || object.journalRow.high : $Number(object.journalRow) !== 0)
                        if ($util.Long)
                            message.journalRow = $util.Long.fromValue(object.journalRow, true);
                        else if (typeof object.journalRow === "string")
                            message.journalRow = $parseInt(object.journalRow, 10);
                        else if (typeof object.journalRow === "number")
                            message.journalRow = object.journalRow;
                        else if (typeof object.journalRow === "object")
                            message.journalRow = new $util.LongBits(object.journalRow.low >>> 0, object.journalRow.high >>> 0).toNumber(true);
                if (object.journalHash != null)
                    if (object.journalHash.length)
                        if (typeof object.journalHash === "string")
                            $util.base64.decode(object.journalHash, message.journalHash = $util.newBuffer($util.base64.length(object.journalHash)), 0);
                        else if (object.journalHash.length >= 0)
                            message.journalHash = object.journalHash;
                if (object.anchor != null) {
                    if (!$util.isObject(object.anchor))
                        throw $TypeError(".tillbridge.v1.Heartbeat.anchor: object expected");
                    message.anchor = $root.tillbridge.v1.JournalHead.fromObject(object.anchor, _depth + 1);
                }
                if (object.tree != null) {
                    if (!$util.isObject(object.tree))
                        throw $TypeError(".tillbridge.v1.Heartbeat.tree: object expected");
                    message.tree = $root.tillbridge.v1.JournalTree.fromObject(object.tree, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from a Heartbeat message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Heartbeat
             * @static
             * @param {tillbridge.v1.Heartbeat} message Heartbeat
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Heartbeat.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults) {
                    object.exposure = [];
                    object.terminals = [];
                }
                if (options.defaults) {
                    object.queueDepth = 0;
                    object.parked = 0;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.oldestAgeSeconds = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.oldestAgeSeconds = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.timeMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.timeMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.journalRow = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.journalRow = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if (options.bytes === $String)
                        object.journalHash = "";
                    else {
                        object.journalHash = [];
                        if (options.bytes !== $Array)
                            object.journalHash = $util.newBuffer(object.journalHash);
                    }
                    object.anchor = null;
                    object.tree = null;
                }
                if (message.queueDepth != null && $Object.hasOwnProperty.call(message, "queueDepth"))
                    object.queueDepth = message.queueDepth;
                if (message.parked != null && $Object.hasOwnProperty.call(message, "parked"))
                    object.parked = message.parked;
                if (message.oldestAgeSeconds != null && $Object.hasOwnProperty.call(message, "oldestAgeSeconds"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.oldestAgeSeconds = typeof message.oldestAgeSeconds === "number" ? $BigInt(message.oldestAgeSeconds) : $util.Long.fromBits(message.oldestAgeSeconds.low >>> 0, message.oldestAgeSeconds.high >>> 0, true).toBigInt();
                    else if (typeof message.oldestAgeSeconds === "number")
                        object.oldestAgeSeconds = options.longs === $String ? $String(message.oldestAgeSeconds) : message.oldestAgeSeconds;
                    else
                        object.oldestAgeSeconds = options.longs === $String ? $util.Long.prototype.toString.call(message.oldestAgeSeconds) : options.longs === $Number ? new $util.LongBits(message.oldestAgeSeconds.low >>> 0, message.oldestAgeSeconds.high >>> 0).toNumber(true) : message.oldestAgeSeconds;
                if (message.exposure && message.exposure.length) {
                    object.exposure = $Array(message.exposure.length);
                    for (let j = 0; j < message.exposure.length; ++j)
                        object.exposure[j] = $root.tillbridge.v1.Exposure.toObject(message.exposure[j], options, _depth + 1);
                }
                if (message.terminals && message.terminals.length) {
                    object.terminals = $Array(message.terminals.length);
                    for (let j = 0; j < message.terminals.length; ++j)
                        object.terminals[j] = $root.tillbridge.v1.TerminalStatus.toObject(message.terminals[j], options, _depth + 1);
                }
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.timeMs = typeof message.timeMs === "number" ? $BigInt(message.timeMs) : $util.Long.fromBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0, true).toBigInt();
                    else if (typeof message.timeMs === "number")
                        object.timeMs = options.longs === $String ? $String(message.timeMs) : message.timeMs;
                    else
                        object.timeMs = options.longs === $String ? $util.Long.prototype.toString.call(message.timeMs) : options.longs === $Number ? new $util.LongBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0).toNumber(true) : message.timeMs;
                if (message.journalRow != null && $Object.hasOwnProperty.call(message, "journalRow"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.journalRow = typeof message.journalRow === "number" ? $BigInt(message.journalRow) : $util.Long.fromBits(message.journalRow.low >>> 0, message.journalRow.high >>> 0, true).toBigInt();
                    else if (typeof message.journalRow === "number")
                        object.journalRow = options.longs === $String ? $String(message.journalRow) : message.journalRow;
                    else
                        object.journalRow = options.longs === $String ? $util.Long.prototype.toString.call(message.journalRow) : options.longs === $Number ? new $util.LongBits(message.journalRow.low >>> 0, message.journalRow.high >>> 0).toNumber(true) : message.journalRow;
                if (message.journalHash != null && $Object.hasOwnProperty.call(message, "journalHash"))
                    object.journalHash = options.bytes === $String ? $util.base64.encode(message.journalHash, 0, message.journalHash.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.journalHash) : message.journalHash;
                if (message.anchor != null && $Object.hasOwnProperty.call(message, "anchor"))
                    object.anchor = $root.tillbridge.v1.JournalHead.toObject(message.anchor, options, _depth + 1);
                if (message.tree != null && $Object.hasOwnProperty.call(message, "tree"))
                    object.tree = $root.tillbridge.v1.JournalTree.toObject(message.tree, options, _depth + 1);
                return object;
            };

            /**
             * Converts this Heartbeat to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Heartbeat
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Heartbeat.prototype.toJSON = function() {
                return Heartbeat.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Heartbeat
             * @function getTypeUrl
             * @memberof tillbridge.v1.Heartbeat
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Heartbeat.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Heartbeat";
            };

            return Heartbeat;
        })();

        v1.HeartbeatAnswer = (function() {

            /**
             * Properties of a HeartbeatAnswer.
             * @typedef {Object} tillbridge.v1.HeartbeatAnswer.$Properties
             * @property {number|null} [timeMs] HeartbeatAnswer timeMs
             * @property {tillbridge.v1.JournalHead.$Properties|null} [journalHead] HeartbeatAnswer journalHead
             * @property {tillbridge.v1.JournalVerdict|null} [journalVerdict] HeartbeatAnswer journalVerdict
             * @property {tillbridge.v1.CountersignedHead.$Properties|null} [countersigned] HeartbeatAnswer countersigned
             * @property {tillbridge.v1.StoreTodos.$Properties|null} [todos] HeartbeatAnswer todos
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a HeartbeatAnswer.
             * @memberof tillbridge.v1
             * @interface IHeartbeatAnswer
             * @augments tillbridge.v1.HeartbeatAnswer.$Properties
             * @deprecated Use tillbridge.v1.HeartbeatAnswer.$Properties instead.
             */

            /**
             * Shape of a HeartbeatAnswer.
             * @typedef {tillbridge.v1.HeartbeatAnswer.$Properties} tillbridge.v1.HeartbeatAnswer.$Shape
             */

            /**
             * Constructs a new HeartbeatAnswer.
             * @memberof tillbridge.v1
             * @classdesc Represents a HeartbeatAnswer.
             * @constructor
             * @param {tillbridge.v1.HeartbeatAnswer.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const HeartbeatAnswer = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * HeartbeatAnswer timeMs.
             * @member {number} timeMs
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @instance
             */
            HeartbeatAnswer.prototype.timeMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * HeartbeatAnswer journalHead.
             * @member {tillbridge.v1.JournalHead.$Properties|null|undefined} journalHead
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @instance
             */
            HeartbeatAnswer.prototype.journalHead = null;

            /**
             * HeartbeatAnswer journalVerdict.
             * @member {tillbridge.v1.JournalVerdict} journalVerdict
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @instance
             */
            HeartbeatAnswer.prototype.journalVerdict = 0;

            /**
             * HeartbeatAnswer countersigned.
             * @member {tillbridge.v1.CountersignedHead.$Properties|null|undefined} countersigned
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @instance
             */
            HeartbeatAnswer.prototype.countersigned = null;

            /**
             * HeartbeatAnswer todos.
             * @member {tillbridge.v1.StoreTodos.$Properties|null|undefined} todos
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @instance
             */
            HeartbeatAnswer.prototype.todos = null;

            /**
             * Encodes the specified HeartbeatAnswer message. Does not implicitly {@link tillbridge.v1.HeartbeatAnswer.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @static
             * @param {tillbridge.v1.HeartbeatAnswer.$Properties} message HeartbeatAnswer message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            HeartbeatAnswer.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs") && (typeof message.timeMs === "object" ? message.timeMs.low || message.timeMs.high : message.timeMs !== 0))
                    writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.timeMs);
                if (message.journalHead != null && $Object.hasOwnProperty.call(message, "journalHead"))
                    $root.tillbridge.v1.JournalHead.encode(message.journalHead, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                if (message.journalVerdict != null && $Object.hasOwnProperty.call(message, "journalVerdict") && message.journalVerdict !== 0)
                    writer.uint32(/* id 3, wireType 0 =*/24).int32(message.journalVerdict);
                if (message.countersigned != null && $Object.hasOwnProperty.call(message, "countersigned"))
                    $root.tillbridge.v1.CountersignedHead.encode(message.countersigned, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                if (message.todos != null && $Object.hasOwnProperty.call(message, "todos"))
                    $root.tillbridge.v1.StoreTodos.encode(message.todos, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a HeartbeatAnswer message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.HeartbeatAnswer & tillbridge.v1.HeartbeatAnswer.$Shape} HeartbeatAnswer
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            HeartbeatAnswer.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.HeartbeatAnswer();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeMs = value;
                            else
                                delete message.timeMs;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.journalHead = $root.tillbridge.v1.JournalHead.decode(reader, reader.size(), $undefined, _depth + 1, message.journalHead);
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.journalVerdict = value;
                            else
                                delete message.journalVerdict;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.countersigned = $root.tillbridge.v1.CountersignedHead.decode(reader, reader.size(), $undefined, _depth + 1, message.countersigned);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.todos = $root.tillbridge.v1.StoreTodos.decode(reader, reader.size(), $undefined, _depth + 1, message.todos);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a HeartbeatAnswer message.
             * @function verify
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            HeartbeatAnswer.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (!$util.isInteger(message.timeMs) && !(message.timeMs && $util.isInteger(message.timeMs.low) && $util.isInteger(message.timeMs.high)))
                        return "timeMs: integer|Long expected";
                if (message.journalHead != null && $Object.hasOwnProperty.call(message, "journalHead")) {
                    let error = $root.tillbridge.v1.JournalHead.verify(message.journalHead, _depth + 1);
                    if (error)
                        return "journalHead." + error;
                }
                if (message.journalVerdict != null && $Object.hasOwnProperty.call(message, "journalVerdict"))
                    if (typeof message.journalVerdict !== "number" || (message.journalVerdict | 0) !== message.journalVerdict)
                        return "journalVerdict: enum value expected";
                if (message.countersigned != null && $Object.hasOwnProperty.call(message, "countersigned")) {
                    let error = $root.tillbridge.v1.CountersignedHead.verify(message.countersigned, _depth + 1);
                    if (error)
                        return "countersigned." + error;
                }
                if (message.todos != null && $Object.hasOwnProperty.call(message, "todos")) {
                    let error = $root.tillbridge.v1.StoreTodos.verify(message.todos, _depth + 1);
                    if (error)
                        return "todos." + error;
                }
                return null;
            };

            /**
             * Creates a HeartbeatAnswer message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.HeartbeatAnswer} HeartbeatAnswer
             */
            HeartbeatAnswer.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.HeartbeatAnswer)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.HeartbeatAnswer: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.HeartbeatAnswer();
                if (object.timeMs != null)
                    if (typeof object.timeMs === "object" ? object.timeMs.low || object.timeMs.high : $Number(object.timeMs) !== 0)
                        if ($util.Long)
                            message.timeMs = $util.Long.fromValue(object.timeMs, true);
                        else if (typeof object.timeMs === "string")
                            message.timeMs = $parseInt(object.timeMs, 10);
                        else if (typeof object.timeMs === "number")
                            message.timeMs = object.timeMs;
                        else if (typeof object.timeMs === "object")
                            message.timeMs = new $util.LongBits(object.timeMs.low >>> 0, object.timeMs.high >>> 0).toNumber(true);
                if (object.journalHead != null) {
                    if (!$util.isObject(object.journalHead))
                        throw $TypeError(".tillbridge.v1.HeartbeatAnswer.journalHead: object expected");
                    message.journalHead = $root.tillbridge.v1.JournalHead.fromObject(object.journalHead, _depth + 1);
                }
                if (object.journalVerdict !== 0 && (typeof object.journalVerdict !== "string" || $root.tillbridge.v1.JournalVerdict[object.journalVerdict] !== 0))
                    switch (object.journalVerdict) {
                    case "JOURNAL_VERDICT_UNSPECIFIED":
                    case 0:
                        message.journalVerdict = 0;
                        break;
                    case "CONTINUES":
                    case 1:
                        message.journalVerdict = 1;
                        break;
                    case "BEHIND":
                    case 2:
                        message.journalVerdict = 2;
                        break;
                    case "FORKED":
                    case 3:
                        message.journalVerdict = 3;
                        break;
                    default:
                        if (typeof object.journalVerdict === "number" && (object.journalVerdict | 0) === object.journalVerdict)
                            message.journalVerdict = object.journalVerdict;
                    }
                if (object.countersigned != null) {
                    if (!$util.isObject(object.countersigned))
                        throw $TypeError(".tillbridge.v1.HeartbeatAnswer.countersigned: object expected");
                    message.countersigned = $root.tillbridge.v1.CountersignedHead.fromObject(object.countersigned, _depth + 1);
                }
                if (object.todos != null) {
                    if (!$util.isObject(object.todos))
                        throw $TypeError(".tillbridge.v1.HeartbeatAnswer.todos: object expected");
                    message.todos = $root.tillbridge.v1.StoreTodos.fromObject(object.todos, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from a HeartbeatAnswer message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @static
             * @param {tillbridge.v1.HeartbeatAnswer} message HeartbeatAnswer
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            HeartbeatAnswer.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.timeMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.timeMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.journalHead = null;
                    object.journalVerdict = options.enums === $String ? "JOURNAL_VERDICT_UNSPECIFIED" : 0;
                    object.countersigned = null;
                    object.todos = null;
                }
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.timeMs = typeof message.timeMs === "number" ? $BigInt(message.timeMs) : $util.Long.fromBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0, true).toBigInt();
                    else if (typeof message.timeMs === "number")
                        object.timeMs = options.longs === $String ? $String(message.timeMs) : message.timeMs;
                    else
                        object.timeMs = options.longs === $String ? $util.Long.prototype.toString.call(message.timeMs) : options.longs === $Number ? new $util.LongBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0).toNumber(true) : message.timeMs;
                if (message.journalHead != null && $Object.hasOwnProperty.call(message, "journalHead"))
                    object.journalHead = $root.tillbridge.v1.JournalHead.toObject(message.journalHead, options, _depth + 1);
                if (message.journalVerdict != null && $Object.hasOwnProperty.call(message, "journalVerdict"))
                    object.journalVerdict = options.enums === $String ? $root.tillbridge.v1.JournalVerdict[message.journalVerdict] === $undefined ? message.journalVerdict : $root.tillbridge.v1.JournalVerdict[message.journalVerdict] : message.journalVerdict;
                if (message.countersigned != null && $Object.hasOwnProperty.call(message, "countersigned"))
                    object.countersigned = $root.tillbridge.v1.CountersignedHead.toObject(message.countersigned, options, _depth + 1);
                if (message.todos != null && $Object.hasOwnProperty.call(message, "todos"))
                    object.todos = $root.tillbridge.v1.StoreTodos.toObject(message.todos, options, _depth + 1);
                return object;
            };

            /**
             * Converts this HeartbeatAnswer to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            HeartbeatAnswer.prototype.toJSON = function() {
                return HeartbeatAnswer.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for HeartbeatAnswer
             * @function getTypeUrl
             * @memberof tillbridge.v1.HeartbeatAnswer
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            HeartbeatAnswer.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.HeartbeatAnswer";
            };

            return HeartbeatAnswer;
        })();

        v1.StoreTodos = (function() {

            /**
             * Properties of a StoreTodos.
             * @typedef {Object} tillbridge.v1.StoreTodos.$Properties
             * @property {Array.<tillbridge.v1.StoreTodo.$Properties>|null} [todos] StoreTodos todos
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a StoreTodos.
             * @memberof tillbridge.v1
             * @interface IStoreTodos
             * @augments tillbridge.v1.StoreTodos.$Properties
             * @deprecated Use tillbridge.v1.StoreTodos.$Properties instead.
             */

            /**
             * Shape of a StoreTodos.
             * @typedef {tillbridge.v1.StoreTodos.$Properties} tillbridge.v1.StoreTodos.$Shape
             */

            /**
             * Constructs a new StoreTodos.
             * @memberof tillbridge.v1
             * @classdesc Represents a StoreTodos.
             * @constructor
             * @param {tillbridge.v1.StoreTodos.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const StoreTodos = function (properties) {
                this.todos = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * StoreTodos todos.
             * @member {Array.<tillbridge.v1.StoreTodo.$Properties>} todos
             * @memberof tillbridge.v1.StoreTodos
             * @instance
             */
            StoreTodos.prototype.todos = $util.emptyArray;

            /**
             * Encodes the specified StoreTodos message. Does not implicitly {@link tillbridge.v1.StoreTodos.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.StoreTodos
             * @static
             * @param {tillbridge.v1.StoreTodos.$Properties} message StoreTodos message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            StoreTodos.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.todos != null && message.todos.length)
                    for (let i = 0; i < message.todos.length; ++i)
                        $root.tillbridge.v1.StoreTodo.encode(message.todos[i], writer.uint32(/* id 1, wireType 2 =*/10).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a StoreTodos message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.StoreTodos
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.StoreTodos & tillbridge.v1.StoreTodos.$Shape} StoreTodos
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            StoreTodos.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.StoreTodos();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if (!(message.todos && message.todos.length))
                                message.todos = [];
                            message.todos.push($root.tillbridge.v1.StoreTodo.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a StoreTodos message.
             * @function verify
             * @memberof tillbridge.v1.StoreTodos
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            StoreTodos.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.todos != null && $Object.hasOwnProperty.call(message, "todos")) {
                    if (!$Array.isArray(message.todos))
                        return "todos: array expected";
                    for (let i = 0; i < message.todos.length; ++i) {
                        let error = $root.tillbridge.v1.StoreTodo.verify(message.todos[i], _depth + 1);
                        if (error)
                            return "todos." + error;
                    }
                }
                return null;
            };

            /**
             * Creates a StoreTodos message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.StoreTodos
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.StoreTodos} StoreTodos
             */
            StoreTodos.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.StoreTodos)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.StoreTodos: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.StoreTodos();
                if (object.todos) {
                    if (!$Array.isArray(object.todos))
                        throw $TypeError(".tillbridge.v1.StoreTodos.todos: array expected");
                    message.todos = $Array(object.todos.length);
                    for (let i = 0; i < object.todos.length; ++i) {
                        if (!$util.isObject(object.todos[i]))
                            throw $TypeError(".tillbridge.v1.StoreTodos.todos: object expected");
                        message.todos[i] = $root.tillbridge.v1.StoreTodo.fromObject(object.todos[i], _depth + 1);
                    }
                }
                return message;
            };

            /**
             * Creates a plain object from a StoreTodos message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.StoreTodos
             * @static
             * @param {tillbridge.v1.StoreTodos} message StoreTodos
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            StoreTodos.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults)
                    object.todos = [];
                if (message.todos && message.todos.length) {
                    object.todos = $Array(message.todos.length);
                    for (let j = 0; j < message.todos.length; ++j)
                        object.todos[j] = $root.tillbridge.v1.StoreTodo.toObject(message.todos[j], options, _depth + 1);
                }
                return object;
            };

            /**
             * Converts this StoreTodos to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.StoreTodos
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            StoreTodos.prototype.toJSON = function() {
                return StoreTodos.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for StoreTodos
             * @function getTypeUrl
             * @memberof tillbridge.v1.StoreTodos
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            StoreTodos.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.StoreTodos";
            };

            return StoreTodos;
        })();

        v1.StoreTodo = (function() {

            /**
             * Properties of a StoreTodo.
             * @typedef {Object} tillbridge.v1.StoreTodo.$Properties
             * @property {string|null} [terminalId] StoreTodo terminalId
             * @property {number|null} [sinceMs] StoreTodo sinceMs
             * @property {string|null} [reason] StoreTodo reason
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a StoreTodo.
             * @memberof tillbridge.v1
             * @interface IStoreTodo
             * @augments tillbridge.v1.StoreTodo.$Properties
             * @deprecated Use tillbridge.v1.StoreTodo.$Properties instead.
             */

            /**
             * Shape of a StoreTodo.
             * @typedef {tillbridge.v1.StoreTodo.$Properties} tillbridge.v1.StoreTodo.$Shape
             */

            /**
             * Constructs a new StoreTodo.
             * @memberof tillbridge.v1
             * @classdesc Represents a StoreTodo.
             * @constructor
             * @param {tillbridge.v1.StoreTodo.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const StoreTodo = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * StoreTodo terminalId.
             * @member {string} terminalId
             * @memberof tillbridge.v1.StoreTodo
             * @instance
             */
            StoreTodo.prototype.terminalId = "";

            /**
             * StoreTodo sinceMs.
             * @member {number} sinceMs
             * @memberof tillbridge.v1.StoreTodo
             * @instance
             */
            StoreTodo.prototype.sinceMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * StoreTodo reason.
             * @member {string} reason
             * @memberof tillbridge.v1.StoreTodo
             * @instance
             */
            StoreTodo.prototype.reason = "";

            /**
             * Encodes the specified StoreTodo message. Does not implicitly {@link tillbridge.v1.StoreTodo.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.StoreTodo
             * @static
             * @param {tillbridge.v1.StoreTodo.$Properties} message StoreTodo message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            StoreTodo.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId") && message.terminalId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.terminalId);
                if (message.sinceMs != null && $Object.hasOwnProperty.call(message, "sinceMs") && (typeof message.sinceMs === "object" ? message.sinceMs.low || message.sinceMs.high : message.sinceMs !== 0))
                    writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.sinceMs);
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.reason);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a StoreTodo message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.StoreTodo
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.StoreTodo & tillbridge.v1.StoreTodo.$Shape} StoreTodo
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            StoreTodo.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.StoreTodo();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.terminalId = value;
                            else
                                delete message.terminalId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.sinceMs = value;
                            else
                                delete message.sinceMs;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reason = value;
                            else
                                delete message.reason;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a StoreTodo message.
             * @function verify
             * @memberof tillbridge.v1.StoreTodo
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            StoreTodo.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    if (!$util.isString(message.terminalId))
                        return "terminalId: string expected";
                if (message.sinceMs != null && $Object.hasOwnProperty.call(message, "sinceMs"))
                    if (!$util.isInteger(message.sinceMs) && !(message.sinceMs && $util.isInteger(message.sinceMs.low) && $util.isInteger(message.sinceMs.high)))
                        return "sinceMs: integer|Long expected";
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    if (!$util.isString(message.reason))
                        return "reason: string expected";
                return null;
            };

            /**
             * Creates a StoreTodo message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.StoreTodo
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.StoreTodo} StoreTodo
             */
            StoreTodo.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.StoreTodo)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.StoreTodo: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.StoreTodo();
                if (object.terminalId != null)
                    if (typeof object.terminalId !== "string" || object.terminalId.length)
                        message.terminalId = $String(object.terminalId);
                if (object.sinceMs != null)
                    if (typeof object.sinceMs === "object" ? object.sinceMs.low || object.sinceMs.high : $Number(object.sinceMs) !== 0)
                        if ($util.Long)
                            message.sinceMs = $util.Long.fromValue(object.sinceMs, true);
                        else if (typeof object.sinceMs === "string")
                            message.sinceMs = $parseInt(object.sinceMs, 10);
                        else if (typeof object.sinceMs === "number")
                            message.sinceMs = object.sinceMs;
                        else if (typeof object.sinceMs === "object")
                            message.sinceMs = new $util.LongBits(object.sinceMs.low >>> 0, object.sinceMs.high >>> 0).toNumber(true);
                if (object.reason != null)
                    if (typeof object.reason !== "string" || object.reason.length)
                        message.reason = $String(object.reason);
                return message;
            };

            /**
             * Creates a plain object from a StoreTodo message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.StoreTodo
             * @static
             * @param {tillbridge.v1.StoreTodo} message StoreTodo
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            StoreTodo.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.terminalId = "";
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.sinceMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.sinceMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.reason = "";
                }
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    object.terminalId = message.terminalId;
                if (message.sinceMs != null && $Object.hasOwnProperty.call(message, "sinceMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.sinceMs = typeof message.sinceMs === "number" ? $BigInt(message.sinceMs) : $util.Long.fromBits(message.sinceMs.low >>> 0, message.sinceMs.high >>> 0, true).toBigInt();
                    else if (typeof message.sinceMs === "number")
                        object.sinceMs = options.longs === $String ? $String(message.sinceMs) : message.sinceMs;
                    else
                        object.sinceMs = options.longs === $String ? $util.Long.prototype.toString.call(message.sinceMs) : options.longs === $Number ? new $util.LongBits(message.sinceMs.low >>> 0, message.sinceMs.high >>> 0).toNumber(true) : message.sinceMs;
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    object.reason = message.reason;
                return object;
            };

            /**
             * Converts this StoreTodo to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.StoreTodo
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            StoreTodo.prototype.toJSON = function() {
                return StoreTodo.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for StoreTodo
             * @function getTypeUrl
             * @memberof tillbridge.v1.StoreTodo
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            StoreTodo.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.StoreTodo";
            };

            return StoreTodo;
        })();

        v1.Money = (function() {

            /**
             * Properties of a Money.
             * @typedef {Object} tillbridge.v1.Money.$Properties
             * @property {number|null} [minor] Money minor
             * @property {string|null} [currency] Money currency
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Money.
             * @memberof tillbridge.v1
             * @interface IMoney
             * @augments tillbridge.v1.Money.$Properties
             * @deprecated Use tillbridge.v1.Money.$Properties instead.
             */

            /**
             * Shape of a Money.
             * @typedef {tillbridge.v1.Money.$Properties} tillbridge.v1.Money.$Shape
             */

            /**
             * Constructs a new Money.
             * @memberof tillbridge.v1
             * @classdesc Represents a Money.
             * @constructor
             * @param {tillbridge.v1.Money.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Money = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Money minor.
             * @member {number} minor
             * @memberof tillbridge.v1.Money
             * @instance
             */
            Money.prototype.minor = $util.Long ? $util.Long.fromBits(0,0,false) : 0;

            /**
             * Money currency.
             * @member {string} currency
             * @memberof tillbridge.v1.Money
             * @instance
             */
            Money.prototype.currency = "";

            /**
             * Encodes the specified Money message. Does not implicitly {@link tillbridge.v1.Money.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Money
             * @static
             * @param {tillbridge.v1.Money.$Properties} message Money message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Money.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.minor != null && $Object.hasOwnProperty.call(message, "minor") && (typeof message.minor === "object" ? message.minor.low || message.minor.high : message.minor !== 0))
                    writer.uint32(/* id 1, wireType 0 =*/8).sint64(message.minor);
                if (message.currency != null && $Object.hasOwnProperty.call(message, "currency") && message.currency !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.currency);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Money message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Money
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Money & tillbridge.v1.Money.$Shape} Money
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Money.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Money();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.sint64()) === "object" ? value.low || value.high : value !== 0)
                                message.minor = value;
                            else
                                delete message.minor;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.currency = value;
                            else
                                delete message.currency;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Money message.
             * @function verify
             * @memberof tillbridge.v1.Money
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Money.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.minor != null && $Object.hasOwnProperty.call(message, "minor"))
                    if (!$util.isInteger(message.minor) && !(message.minor && $util.isInteger(message.minor.low) && $util.isInteger(message.minor.high)))
                        return "minor: integer|Long expected";
                if (message.currency != null && $Object.hasOwnProperty.call(message, "currency"))
                    if (!$util.isString(message.currency))
                        return "currency: string expected";
                return null;
            };

            /**
             * Creates a Money message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Money
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Money} Money
             */
            Money.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Money)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Money: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Money();
                if (object.minor != null)
                    if (typeof object.minor === "object" ? object.minor.low || object.minor.high : $Number(object.minor) !== 0)
                        if ($util.Long)
                            message.minor = $util.Long.fromValue(object.minor, false);
                        else if (typeof object.minor === "string")
                            message.minor = $parseInt(object.minor, 10);
                        else if (typeof object.minor === "number")
                            message.minor = object.minor;
                        else if (typeof object.minor === "object")
                            message.minor = new $util.LongBits(object.minor.low >>> 0, object.minor.high >>> 0).toNumber();
                if (object.currency != null)
                    if (typeof object.currency !== "string" || object.currency.length)
                        message.currency = $String(object.currency);
                return message;
            };

            /**
             * Creates a plain object from a Money message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Money
             * @static
             * @param {tillbridge.v1.Money} message Money
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Money.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, false);
                        object.minor = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.minor = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.currency = "";
                }
                if (message.minor != null && $Object.hasOwnProperty.call(message, "minor"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.minor = typeof message.minor === "number" ? $BigInt(message.minor) : $util.Long.fromBits(message.minor.low >>> 0, message.minor.high >>> 0, false).toBigInt();
                    else if (typeof message.minor === "number")
                        object.minor = options.longs === $String ? $String(message.minor) : message.minor;
                    else
                        object.minor = options.longs === $String ? $util.Long.prototype.toString.call(message.minor) : options.longs === $Number ? new $util.LongBits(message.minor.low >>> 0, message.minor.high >>> 0).toNumber() : message.minor;
                if (message.currency != null && $Object.hasOwnProperty.call(message, "currency"))
                    object.currency = message.currency;
                return object;
            };

            /**
             * Converts this Money to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Money
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Money.prototype.toJSON = function() {
                return Money.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Money
             * @function getTypeUrl
             * @memberof tillbridge.v1.Money
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Money.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Money";
            };

            return Money;
        })();

        /**
         * SaleType enum.
         * @name tillbridge.v1.SaleType
         * @enum {number}
         * @property {number} SALE_TYPE_UNSPECIFIED=0 SALE_TYPE_UNSPECIFIED value
         * @property {number} SALE=1 SALE value
         * @property {number} REFUND=2 REFUND value
         * @property {number} PREAUTHORIZATION=3 PREAUTHORIZATION value
         */
        v1.SaleType = (function() {
            const valuesById = $Object.create(null), values = $Object.create(valuesById);
            values[valuesById[0] = "SALE_TYPE_UNSPECIFIED"] = 0;
            values[valuesById[1] = "SALE"] = 1;
            values[valuesById[2] = "REFUND"] = 2;
            values[valuesById[3] = "PREAUTHORIZATION"] = 3;
            return values;
        })();

        v1.Enciphered = (function() {

            /**
             * Properties of an Enciphered.
             * @typedef {Object} tillbridge.v1.Enciphered.$Properties
             * @property {Uint8Array|null} [data] Enciphered data
             * @property {Uint8Array|null} [ksn] Enciphered ksn
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an Enciphered.
             * @memberof tillbridge.v1
             * @interface IEnciphered
             * @augments tillbridge.v1.Enciphered.$Properties
             * @deprecated Use tillbridge.v1.Enciphered.$Properties instead.
             */

            /**
             * Shape of an Enciphered.
             * @typedef {tillbridge.v1.Enciphered.$Properties} tillbridge.v1.Enciphered.$Shape
             */

            /**
             * Constructs a new Enciphered.
             * @memberof tillbridge.v1
             * @classdesc Represents an Enciphered.
             * @constructor
             * @param {tillbridge.v1.Enciphered.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Enciphered = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Enciphered data.
             * @member {Uint8Array} data
             * @memberof tillbridge.v1.Enciphered
             * @instance
             */
            Enciphered.prototype.data = $util.newBuffer([]);

            /**
             * Enciphered ksn.
             * @member {Uint8Array} ksn
             * @memberof tillbridge.v1.Enciphered
             * @instance
             */
            Enciphered.prototype.ksn = $util.newBuffer([]);

            /**
             * Encodes the specified Enciphered message. Does not implicitly {@link tillbridge.v1.Enciphered.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Enciphered
             * @static
             * @param {tillbridge.v1.Enciphered.$Properties} message Enciphered message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Enciphered.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.data != null && $Object.hasOwnProperty.call(message, "data") && message.data.length)
                    writer.uint32(/* id 1, wireType 2 =*/10).bytes(message.data);
                if (message.ksn != null && $Object.hasOwnProperty.call(message, "ksn") && message.ksn.length)
                    writer.uint32(/* id 2, wireType 2 =*/18).bytes(message.ksn);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an Enciphered message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Enciphered
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Enciphered & tillbridge.v1.Enciphered.$Shape} Enciphered
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Enciphered.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Enciphered();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.data = value;
                            else
                                delete message.data;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.ksn = value;
                            else
                                delete message.ksn;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an Enciphered message.
             * @function verify
             * @memberof tillbridge.v1.Enciphered
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Enciphered.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.data != null && $Object.hasOwnProperty.call(message, "data"))
                    if (!(message.data && typeof message.data.length === "number" || $util.isString(message.data)))
                        return "data: buffer expected";
                if (message.ksn != null && $Object.hasOwnProperty.call(message, "ksn"))
                    if (!(message.ksn && typeof message.ksn.length === "number" || $util.isString(message.ksn)))
                        return "ksn: buffer expected";
                return null;
            };

            /**
             * Creates an Enciphered message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Enciphered
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Enciphered} Enciphered
             */
            Enciphered.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Enciphered)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Enciphered: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Enciphered();
                if (object.data != null)
                    if (object.data.length)
                        if (typeof object.data === "string")
                            $util.base64.decode(object.data, message.data = $util.newBuffer($util.base64.length(object.data)), 0);
                        else if (object.data.length >= 0)
                            message.data = object.data;
                if (object.ksn != null)
                    if (object.ksn.length)
                        if (typeof object.ksn === "string")
                            $util.base64.decode(object.ksn, message.ksn = $util.newBuffer($util.base64.length(object.ksn)), 0);
                        else if (object.ksn.length >= 0)
                            message.ksn = object.ksn;
                return message;
            };

            /**
             * Creates a plain object from an Enciphered message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Enciphered
             * @static
             * @param {tillbridge.v1.Enciphered} message Enciphered
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Enciphered.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    if (options.bytes === $String)
                        object.data = "";
                    else {
                        object.data = [];
                        if (options.bytes !== $Array)
                            object.data = $util.newBuffer(object.data);
                    }
                    if (options.bytes === $String)
                        object.ksn = "";
                    else {
                        object.ksn = [];
                        if (options.bytes !== $Array)
                            object.ksn = $util.newBuffer(object.ksn);
                    }
                }
                if (message.data != null && $Object.hasOwnProperty.call(message, "data"))
                    object.data = options.bytes === $String ? $util.base64.encode(message.data, 0, message.data.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.data) : message.data;
                if (message.ksn != null && $Object.hasOwnProperty.call(message, "ksn"))
                    object.ksn = options.bytes === $String ? $util.base64.encode(message.ksn, 0, message.ksn.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.ksn) : message.ksn;
                return object;
            };

            /**
             * Converts this Enciphered to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Enciphered
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Enciphered.prototype.toJSON = function() {
                return Enciphered.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Enciphered
             * @function getTypeUrl
             * @memberof tillbridge.v1.Enciphered
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Enciphered.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Enciphered";
            };

            return Enciphered;
        })();

        v1.PosData = (function() {

            /**
             * Properties of a PosData.
             * @typedef {Object} tillbridge.v1.PosData.$Properties
             * @property {string|null} [terminalId] PosData terminalId
             * @property {string|null} [deviceType] PosData deviceType
             * @property {string|null} [deviceId] PosData deviceId
             * @property {string|null} [entryMode] PosData entryMode
             * @property {string|null} [panSequenceNumber] PosData panSequenceNumber
             * @property {number|null} [transactionSequenceNumber] PosData transactionSequenceNumber
             * @property {boolean|null} [pinEntryAvailable] PosData pinEntryAvailable
             * @property {Uint8Array|null} [iccData] PosData iccData
             * @property {tillbridge.v1.Enciphered.$Properties|null} [sred] PosData sred
             * @property {tillbridge.v1.Enciphered.$Properties|null} [pin] PosData pin
             * @property {string|null} [expiry] PosData expiry
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a PosData.
             * @memberof tillbridge.v1
             * @interface IPosData
             * @augments tillbridge.v1.PosData.$Properties
             * @deprecated Use tillbridge.v1.PosData.$Properties instead.
             */

            /**
             * Shape of a PosData.
             * @typedef {tillbridge.v1.PosData.$Properties} tillbridge.v1.PosData.$Shape
             */

            /**
             * Constructs a new PosData.
             * @memberof tillbridge.v1
             * @classdesc Represents a PosData.
             * @constructor
             * @param {tillbridge.v1.PosData.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const PosData = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * PosData terminalId.
             * @member {string} terminalId
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.terminalId = "";

            /**
             * PosData deviceType.
             * @member {string} deviceType
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.deviceType = "";

            /**
             * PosData deviceId.
             * @member {string} deviceId
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.deviceId = "";

            /**
             * PosData entryMode.
             * @member {string} entryMode
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.entryMode = "";

            /**
             * PosData panSequenceNumber.
             * @member {string} panSequenceNumber
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.panSequenceNumber = "";

            /**
             * PosData transactionSequenceNumber.
             * @member {number} transactionSequenceNumber
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.transactionSequenceNumber = 0;

            /**
             * PosData pinEntryAvailable.
             * @member {boolean} pinEntryAvailable
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.pinEntryAvailable = false;

            /**
             * PosData iccData.
             * @member {Uint8Array} iccData
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.iccData = $util.newBuffer([]);

            /**
             * PosData sred.
             * @member {tillbridge.v1.Enciphered.$Properties|null|undefined} sred
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.sred = null;

            /**
             * PosData pin.
             * @member {tillbridge.v1.Enciphered.$Properties|null|undefined} pin
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.pin = null;

            /**
             * PosData expiry.
             * @member {string} expiry
             * @memberof tillbridge.v1.PosData
             * @instance
             */
            PosData.prototype.expiry = "";

            /**
             * Encodes the specified PosData message. Does not implicitly {@link tillbridge.v1.PosData.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.PosData
             * @static
             * @param {tillbridge.v1.PosData.$Properties} message PosData message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            PosData.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId") && message.terminalId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.terminalId);
                if (message.deviceType != null && $Object.hasOwnProperty.call(message, "deviceType") && message.deviceType !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.deviceType);
                if (message.deviceId != null && $Object.hasOwnProperty.call(message, "deviceId") && message.deviceId !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.deviceId);
                if (message.entryMode != null && $Object.hasOwnProperty.call(message, "entryMode") && message.entryMode !== "")
                    writer.uint32(/* id 4, wireType 2 =*/34).string(message.entryMode);
                if (message.panSequenceNumber != null && $Object.hasOwnProperty.call(message, "panSequenceNumber") && message.panSequenceNumber !== "")
                    writer.uint32(/* id 5, wireType 2 =*/42).string(message.panSequenceNumber);
                if (message.transactionSequenceNumber != null && $Object.hasOwnProperty.call(message, "transactionSequenceNumber") && message.transactionSequenceNumber !== 0)
                    writer.uint32(/* id 6, wireType 0 =*/48).uint32(message.transactionSequenceNumber);
                if (message.pinEntryAvailable != null && $Object.hasOwnProperty.call(message, "pinEntryAvailable") && message.pinEntryAvailable !== false)
                    writer.uint32(/* id 7, wireType 0 =*/56).bool(message.pinEntryAvailable);
                if (message.iccData != null && $Object.hasOwnProperty.call(message, "iccData") && message.iccData.length)
                    writer.uint32(/* id 8, wireType 2 =*/66).bytes(message.iccData);
                if (message.sred != null && $Object.hasOwnProperty.call(message, "sred"))
                    $root.tillbridge.v1.Enciphered.encode(message.sred, writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
                if (message.pin != null && $Object.hasOwnProperty.call(message, "pin"))
                    $root.tillbridge.v1.Enciphered.encode(message.pin, writer.uint32(/* id 10, wireType 2 =*/82).fork(), _depth + 1).ldelim();
                if (message.expiry != null && $Object.hasOwnProperty.call(message, "expiry") && message.expiry !== "")
                    writer.uint32(/* id 11, wireType 2 =*/90).string(message.expiry);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a PosData message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.PosData
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.PosData & tillbridge.v1.PosData.$Shape} PosData
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            PosData.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.PosData();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.terminalId = value;
                            else
                                delete message.terminalId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.deviceType = value;
                            else
                                delete message.deviceType;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.deviceId = value;
                            else
                                delete message.deviceId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.entryMode = value;
                            else
                                delete message.entryMode;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.panSequenceNumber = value;
                            else
                                delete message.panSequenceNumber;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.transactionSequenceNumber = value;
                            else
                                delete message.transactionSequenceNumber;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.pinEntryAvailable = value;
                            else
                                delete message.pinEntryAvailable;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.iccData = value;
                            else
                                delete message.iccData;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            message.sred = $root.tillbridge.v1.Enciphered.decode(reader, reader.size(), $undefined, _depth + 1, message.sred);
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            message.pin = $root.tillbridge.v1.Enciphered.decode(reader, reader.size(), $undefined, _depth + 1, message.pin);
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.expiry = value;
                            else
                                delete message.expiry;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a PosData message.
             * @function verify
             * @memberof tillbridge.v1.PosData
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            PosData.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    if (!$util.isString(message.terminalId))
                        return "terminalId: string expected";
                if (message.deviceType != null && $Object.hasOwnProperty.call(message, "deviceType"))
                    if (!$util.isString(message.deviceType))
                        return "deviceType: string expected";
                if (message.deviceId != null && $Object.hasOwnProperty.call(message, "deviceId"))
                    if (!$util.isString(message.deviceId))
                        return "deviceId: string expected";
                if (message.entryMode != null && $Object.hasOwnProperty.call(message, "entryMode"))
                    if (!$util.isString(message.entryMode))
                        return "entryMode: string expected";
                if (message.panSequenceNumber != null && $Object.hasOwnProperty.call(message, "panSequenceNumber"))
                    if (!$util.isString(message.panSequenceNumber))
                        return "panSequenceNumber: string expected";
                if (message.transactionSequenceNumber != null && $Object.hasOwnProperty.call(message, "transactionSequenceNumber"))
                    if (!$util.isInteger(message.transactionSequenceNumber))
                        return "transactionSequenceNumber: integer expected";
                if (message.pinEntryAvailable != null && $Object.hasOwnProperty.call(message, "pinEntryAvailable"))
                    if (typeof message.pinEntryAvailable !== "boolean")
                        return "pinEntryAvailable: boolean expected";
                if (message.iccData != null && $Object.hasOwnProperty.call(message, "iccData"))
                    if (!(message.iccData && typeof message.iccData.length === "number" || $util.isString(message.iccData)))
                        return "iccData: buffer expected";
                if (message.sred != null && $Object.hasOwnProperty.call(message, "sred")) {
                    let error = $root.tillbridge.v1.Enciphered.verify(message.sred, _depth + 1);
                    if (error)
                        return "sred." + error;
                }
                if (message.pin != null && $Object.hasOwnProperty.call(message, "pin")) {
                    let error = $root.tillbridge.v1.Enciphered.verify(message.pin, _depth + 1);
                    if (error)
                        return "pin." + error;
                }
                if (message.expiry != null && $Object.hasOwnProperty.call(message, "expiry"))
                    if (!$util.isString(message.expiry))
                        return "expiry: string expected";
                return null;
            };

            /**
             * Creates a PosData message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.PosData
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.PosData} PosData
             */
            PosData.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.PosData)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.PosData: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.PosData();
                if (object.terminalId != null)
                    if (typeof object.terminalId !== "string" || object.terminalId.length)
                        message.terminalId = $String(object.terminalId);
                if (object.deviceType != null)
                    if (typeof object.deviceType !== "string" || object.deviceType.length)
                        message.deviceType = $String(object.deviceType);
                if (object.deviceId != null)
                    if (typeof object.deviceId !== "string" || object.deviceId.length)
                        message.deviceId = $String(object.deviceId);
                if (object.entryMode != null)
                    if (typeof object.entryMode !== "string" || object.entryMode.length)
                        message.entryMode = $String(object.entryMode);
                if (object.panSequenceNumber != null)
                    if (typeof object.panSequenceNumber !== "string" || object.panSequenceNumber.length)
                        message.panSequenceNumber = $String(object.panSequenceNumber);
                if (object.transactionSequenceNumber != null)
                    if ($Number(object.transactionSequenceNumber) !== 0)
                        message.transactionSequenceNumber = object.transactionSequenceNumber >>> 0;
                if (object.pinEntryAvailable != null)
                    if (object.pinEntryAvailable)
                        message.pinEntryAvailable = $Boolean(object.pinEntryAvailable);
                if (object.iccData != null)
                    if (object.iccData.length)
                        if (typeof object.iccData === "string")
                            $util.base64.decode(object.iccData, message.iccData = $util.newBuffer($util.base64.length(object.iccData)), 0);
                        else if (object.iccData.length >= 0)
                            message.iccData = object.iccData;
                if (object.sred != null) {
                    if (!$util.isObject(object.sred))
                        throw $TypeError(".tillbridge.v1.PosData.sred: object expected");
                    message.sred = $root.tillbridge.v1.Enciphered.fromObject(object.sred, _depth + 1);
                }
                if (object.pin != null) {
                    if (!$util.isObject(object.pin))
                        throw $TypeError(".tillbridge.v1.PosData.pin: object expected");
                    message.pin = $root.tillbridge.v1.Enciphered.fromObject(object.pin, _depth + 1);
                }
                if (object.expiry != null)
                    if (typeof object.expiry !== "string" || object.expiry.length)
                        message.expiry = $String(object.expiry);
                return message;
            };

            /**
             * Creates a plain object from a PosData message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.PosData
             * @static
             * @param {tillbridge.v1.PosData} message PosData
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            PosData.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.terminalId = "";
                    object.deviceType = "";
                    object.deviceId = "";
                    object.entryMode = "";
                    object.panSequenceNumber = "";
                    object.transactionSequenceNumber = 0;
                    object.pinEntryAvailable = false;
                    if (options.bytes === $String)
                        object.iccData = "";
                    else {
                        object.iccData = [];
                        if (options.bytes !== $Array)
                            object.iccData = $util.newBuffer(object.iccData);
                    }
                    object.sred = null;
                    object.pin = null;
                    object.expiry = "";
                }
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    object.terminalId = message.terminalId;
                if (message.deviceType != null && $Object.hasOwnProperty.call(message, "deviceType"))
                    object.deviceType = message.deviceType;
                if (message.deviceId != null && $Object.hasOwnProperty.call(message, "deviceId"))
                    object.deviceId = message.deviceId;
                if (message.entryMode != null && $Object.hasOwnProperty.call(message, "entryMode"))
                    object.entryMode = message.entryMode;
                if (message.panSequenceNumber != null && $Object.hasOwnProperty.call(message, "panSequenceNumber"))
                    object.panSequenceNumber = message.panSequenceNumber;
                if (message.transactionSequenceNumber != null && $Object.hasOwnProperty.call(message, "transactionSequenceNumber"))
                    object.transactionSequenceNumber = message.transactionSequenceNumber;
                if (message.pinEntryAvailable != null && $Object.hasOwnProperty.call(message, "pinEntryAvailable"))
                    object.pinEntryAvailable = message.pinEntryAvailable;
                if (message.iccData != null && $Object.hasOwnProperty.call(message, "iccData"))
                    object.iccData = options.bytes === $String ? $util.base64.encode(message.iccData, 0, message.iccData.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.iccData) : message.iccData;
                if (message.sred != null && $Object.hasOwnProperty.call(message, "sred"))
                    object.sred = $root.tillbridge.v1.Enciphered.toObject(message.sred, options, _depth + 1);
                if (message.pin != null && $Object.hasOwnProperty.call(message, "pin"))
                    object.pin = $root.tillbridge.v1.Enciphered.toObject(message.pin, options, _depth + 1);
                if (message.expiry != null && $Object.hasOwnProperty.call(message, "expiry"))
                    object.expiry = message.expiry;
                return object;
            };

            /**
             * Converts this PosData to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.PosData
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            PosData.prototype.toJSON = function() {
                return PosData.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for PosData
             * @function getTypeUrl
             * @memberof tillbridge.v1.PosData
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            PosData.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.PosData";
            };

            return PosData;
        })();

        v1.AuthorizationRequest = (function() {

            /**
             * Properties of an AuthorizationRequest.
             * @typedef {Object} tillbridge.v1.AuthorizationRequest.$Properties
             * @property {string|null} [reference] AuthorizationRequest reference
             * @property {tillbridge.v1.SaleType|null} [type] AuthorizationRequest type
             * @property {tillbridge.v1.Money.$Properties|null} [amount] AuthorizationRequest amount
             * @property {tillbridge.v1.PosData.$Properties|null} [pos] AuthorizationRequest pos
             * @property {string|null} [originalMessageId] AuthorizationRequest originalMessageId
             * @property {number|null} [journaledAtMs] AuthorizationRequest journaledAtMs
             * @property {boolean|null} [partialAllowed] AuthorizationRequest partialAllowed
             * @property {tillbridge.v1.Money.$Properties|null} [tip] AuthorizationRequest tip
             * @property {tillbridge.v1.Money.$Properties|null} [cashBack] AuthorizationRequest cashBack
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an AuthorizationRequest.
             * @memberof tillbridge.v1
             * @interface IAuthorizationRequest
             * @augments tillbridge.v1.AuthorizationRequest.$Properties
             * @deprecated Use tillbridge.v1.AuthorizationRequest.$Properties instead.
             */

            /**
             * Shape of an AuthorizationRequest.
             * @typedef {tillbridge.v1.AuthorizationRequest.$Properties} tillbridge.v1.AuthorizationRequest.$Shape
             */

            /**
             * Constructs a new AuthorizationRequest.
             * @memberof tillbridge.v1
             * @classdesc Represents an AuthorizationRequest.
             * @constructor
             * @param {tillbridge.v1.AuthorizationRequest.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const AuthorizationRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * AuthorizationRequest reference.
             * @member {string} reference
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             */
            AuthorizationRequest.prototype.reference = "";

            /**
             * AuthorizationRequest type.
             * @member {tillbridge.v1.SaleType} type
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             */
            AuthorizationRequest.prototype.type = 0;

            /**
             * AuthorizationRequest amount.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} amount
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             */
            AuthorizationRequest.prototype.amount = null;

            /**
             * AuthorizationRequest pos.
             * @member {tillbridge.v1.PosData.$Properties|null|undefined} pos
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             */
            AuthorizationRequest.prototype.pos = null;

            /**
             * AuthorizationRequest originalMessageId.
             * @member {string} originalMessageId
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             */
            AuthorizationRequest.prototype.originalMessageId = "";

            /**
             * AuthorizationRequest journaledAtMs.
             * @member {number} journaledAtMs
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             */
            AuthorizationRequest.prototype.journaledAtMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * AuthorizationRequest partialAllowed.
             * @member {boolean} partialAllowed
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             */
            AuthorizationRequest.prototype.partialAllowed = false;

            /**
             * AuthorizationRequest tip.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} tip
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             */
            AuthorizationRequest.prototype.tip = null;

            /**
             * AuthorizationRequest cashBack.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} cashBack
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             */
            AuthorizationRequest.prototype.cashBack = null;

            /**
             * Encodes the specified AuthorizationRequest message. Does not implicitly {@link tillbridge.v1.AuthorizationRequest.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.AuthorizationRequest
             * @static
             * @param {tillbridge.v1.AuthorizationRequest.$Properties} message AuthorizationRequest message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            AuthorizationRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference") && message.reference !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.reference);
                if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
                    writer.uint32(/* id 2, wireType 0 =*/16).int32(message.type);
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    $root.tillbridge.v1.Money.encode(message.amount, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                if (message.pos != null && $Object.hasOwnProperty.call(message, "pos"))
                    $root.tillbridge.v1.PosData.encode(message.pos, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId") && message.originalMessageId !== "")
                    writer.uint32(/* id 5, wireType 2 =*/42).string(message.originalMessageId);
                if (message.journaledAtMs != null && $Object.hasOwnProperty.call(message, "journaledAtMs") && (typeof message.journaledAtMs === "object" ? message.journaledAtMs.low || message.journaledAtMs.high : message.journaledAtMs !== 0))
                    writer.uint32(/* id 6, wireType 0 =*/48).uint64(message.journaledAtMs);
                if (message.partialAllowed != null && $Object.hasOwnProperty.call(message, "partialAllowed") && message.partialAllowed !== false)
                    writer.uint32(/* id 7, wireType 0 =*/56).bool(message.partialAllowed);
                if (message.tip != null && $Object.hasOwnProperty.call(message, "tip"))
                    $root.tillbridge.v1.Money.encode(message.tip, writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
                if (message.cashBack != null && $Object.hasOwnProperty.call(message, "cashBack"))
                    $root.tillbridge.v1.Money.encode(message.cashBack, writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an AuthorizationRequest message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.AuthorizationRequest
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.AuthorizationRequest & tillbridge.v1.AuthorizationRequest.$Shape} AuthorizationRequest
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            AuthorizationRequest.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.AuthorizationRequest();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reference = value;
                            else
                                delete message.reference;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.type = value;
                            else
                                delete message.type;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.amount = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.amount);
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.pos = $root.tillbridge.v1.PosData.decode(reader, reader.size(), $undefined, _depth + 1, message.pos);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.originalMessageId = value;
                            else
                                delete message.originalMessageId;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.journaledAtMs = value;
                            else
                                delete message.journaledAtMs;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.partialAllowed = value;
                            else
                                delete message.partialAllowed;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.tip = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.tip);
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            message.cashBack = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.cashBack);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an AuthorizationRequest message.
             * @function verify
             * @memberof tillbridge.v1.AuthorizationRequest
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            AuthorizationRequest.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    if (!$util.isString(message.reference))
                        return "reference: string expected";
                if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                    if (typeof message.type !== "number" || (message.type | 0) !== message.type)
                        return "type: enum value expected";
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount")) {
                    let error = $root.tillbridge.v1.Money.verify(message.amount, _depth + 1);
                    if (error)
                        return "amount." + error;
                }
                if (message.pos != null && $Object.hasOwnProperty.call(message, "pos")) {
                    let error = $root.tillbridge.v1.PosData.verify(message.pos, _depth + 1);
                    if (error)
                        return "pos." + error;
                }
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    if (!$util.isString(message.originalMessageId))
                        return "originalMessageId: string expected";
                if (message.journaledAtMs != null && $Object.hasOwnProperty.call(message, "journaledAtMs"))
                    if (!$util.isInteger(message.journaledAtMs) && !(message.journaledAtMs && $util.isInteger(message.journaledAtMs.low) && $util.isInteger(message.journaledAtMs.high)))
                        return "journaledAtMs: integer|Long expected";
                if (message.partialAllowed != null && $Object.hasOwnProperty.call(message, "partialAllowed"))
                    if (typeof message.partialAllowed !== "boolean")
                        return "partialAllowed: boolean expected";
                if (message.tip != null && $Object.hasOwnProperty.call(message, "tip")) {
                    let error = $root.tillbridge.v1.Money.verify(message.tip, _depth + 1);
                    if (error)
                        return "tip." + error;
                }
                if (message.cashBack != null && $Object.hasOwnProperty.call(message, "cashBack")) {
                    let error = $root.tillbridge.v1.Money.verify(message.cashBack, _depth + 1);
                    if (error)
                        return "cashBack." + error;
                }
                return null;
            };

            /**
             * Creates an AuthorizationRequest message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.AuthorizationRequest
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.AuthorizationRequest} AuthorizationRequest
             */
            AuthorizationRequest.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.AuthorizationRequest)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.AuthorizationRequest: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.AuthorizationRequest();
                if (object.reference != null)
                    if (typeof object.reference !== "string" || object.reference.length)
                        message.reference = $String(object.reference);
                if (object.type !== 0 && (typeof object.type !== "string" || $root.tillbridge.v1.SaleType[object.type] !== 0))
                    switch (object.type) {
                    case "SALE_TYPE_UNSPECIFIED":
                    case 0:
                        message.type = 0;
                        break;
                    case "SALE":
                    case 1:
                        message.type = 1;
                        break;
                    case "REFUND":
                    case 2:
                        message.type = 2;
                        break;
                    case "PREAUTHORIZATION":
                    case 3:
                        message.type = 3;
                        break;
                    default:
                        if (typeof object.type === "number" && (object.type | 0) === object.type)
                            message.type = object.type;
                    }
                if (object.amount != null) {
                    if (!$util.isObject(object.amount))
                        throw $TypeError(".tillbridge.v1.AuthorizationRequest.amount: object expected");
                    message.amount = $root.tillbridge.v1.Money.fromObject(object.amount, _depth + 1);
                }
                if (object.pos != null) {
                    if (!$util.isObject(object.pos))
                        throw $TypeError(".tillbridge.v1.AuthorizationRequest.pos: object expected");
                    message.pos = $root.tillbridge.v1.PosData.fromObject(object.pos, _depth + 1);
                }
                if (object.originalMessageId != null)
                    if (typeof object.originalMessageId !== "string" || object.originalMessageId.length)
                        message.originalMessageId = $String(object.originalMessageId);
                if (object.journaledAtMs != null)
                    if (typeof object.journaledAtMs === "object" ? object.journaledAtMs.low || object.journaledAtMs.high : $Number(object.journaledAtMs) !== 0)
                        if ($util.Long)
                            message.journaledAtMs = $util.Long.fromValue(object.journaledAtMs, true);
                        else if (typeof object.journaledAtMs === "string")
                            message.journaledAtMs = $parseInt(object.journaledAtMs, 10);
                        else if (typeof object.journaledAtMs === "number")
                            message.journaledAtMs = object.journaledAtMs;
                        else if (typeof object.journaledAtMs === "object")
                            message.journaledAtMs = new $util.LongBits(object.journaledAtMs.low >>> 0, object.journaledAtMs.high >>> 0).toNumber(true);
                if (object.partialAllowed != null)
                    if (object.partialAllowed)
                        message.partialAllowed = $Boolean(object.partialAllowed);
                if (object.tip != null) {
                    if (!$util.isObject(object.tip))
                        throw $TypeError(".tillbridge.v1.AuthorizationRequest.tip: object expected");
                    message.tip = $root.tillbridge.v1.Money.fromObject(object.tip, _depth + 1);
                }
                if (object.cashBack != null) {
                    if (!$util.isObject(object.cashBack))
                        throw $TypeError(".tillbridge.v1.AuthorizationRequest.cashBack: object expected");
                    message.cashBack = $root.tillbridge.v1.Money.fromObject(object.cashBack, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from an AuthorizationRequest message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.AuthorizationRequest
             * @static
             * @param {tillbridge.v1.AuthorizationRequest} message AuthorizationRequest
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            AuthorizationRequest.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.reference = "";
                    object.type = options.enums === $String ? "SALE_TYPE_UNSPECIFIED" : 0;
                    object.amount = null;
                    object.pos = null;
                    object.originalMessageId = "";
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.journaledAtMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.journaledAtMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.partialAllowed = false;
                    object.tip = null;
                    object.cashBack = null;
                }
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    object.reference = message.reference;
                if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                    object.type = options.enums === $String ? $root.tillbridge.v1.SaleType[message.type] === $undefined ? message.type : $root.tillbridge.v1.SaleType[message.type] : message.type;
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    object.amount = $root.tillbridge.v1.Money.toObject(message.amount, options, _depth + 1);
                if (message.pos != null && $Object.hasOwnProperty.call(message, "pos"))
                    object.pos = $root.tillbridge.v1.PosData.toObject(message.pos, options, _depth + 1);
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    object.originalMessageId = message.originalMessageId;
                if (message.journaledAtMs != null && $Object.hasOwnProperty.call(message, "journaledAtMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.journaledAtMs = typeof message.journaledAtMs === "number" ? $BigInt(message.journaledAtMs) : $util.Long.fromBits(message.journaledAtMs.low >>> 0, message.journaledAtMs.high >>> 0, true).toBigInt();
                    else if (typeof message.journaledAtMs === "number")
                        object.journaledAtMs = options.longs === $String ? $String(message.journaledAtMs) : message.journaledAtMs;
                    else
                        object.journaledAtMs = options.longs === $String ? $util.Long.prototype.toString.call(message.journaledAtMs) : options.longs === $Number ? new $util.LongBits(message.journaledAtMs.low >>> 0, message.journaledAtMs.high >>> 0).toNumber(true) : message.journaledAtMs;
                if (message.partialAllowed != null && $Object.hasOwnProperty.call(message, "partialAllowed"))
                    object.partialAllowed = message.partialAllowed;
                if (message.tip != null && $Object.hasOwnProperty.call(message, "tip"))
                    object.tip = $root.tillbridge.v1.Money.toObject(message.tip, options, _depth + 1);
                if (message.cashBack != null && $Object.hasOwnProperty.call(message, "cashBack"))
                    object.cashBack = $root.tillbridge.v1.Money.toObject(message.cashBack, options, _depth + 1);
                return object;
            };

            /**
             * Converts this AuthorizationRequest to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.AuthorizationRequest
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            AuthorizationRequest.prototype.toJSON = function() {
                return AuthorizationRequest.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for AuthorizationRequest
             * @function getTypeUrl
             * @memberof tillbridge.v1.AuthorizationRequest
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            AuthorizationRequest.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.AuthorizationRequest";
            };

            return AuthorizationRequest;
        })();

        v1.Outcome = (function() {

            /**
             * Properties of an Outcome.
             * @typedef {Object} tillbridge.v1.Outcome.$Properties
             * @property {tillbridge.v1.Outcome.Disposition|null} [disposition] Outcome disposition
             * @property {string|null} [paymentId] Outcome paymentId
             * @property {string|null} [resultCode] Outcome resultCode
             * @property {string|null} [description] Outcome description
             * @property {tillbridge.v1.Money.$Properties|null} [amount] Outcome amount
             * @property {string|null} [approvalCode] Outcome approvalCode
             * @property {string|null} [responseCode] Outcome responseCode
             * @property {Uint8Array|null} [iccDataResponse] Outcome iccDataResponse
             * @property {string|null} [brand] Outcome brand
             * @property {tillbridge.v1.Money.$Properties|null} [availableBalance] Outcome availableBalance
             * @property {tillbridge.v1.Money.$Properties|null} [cashBack] Outcome cashBack
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an Outcome.
             * @memberof tillbridge.v1
             * @interface IOutcome
             * @augments tillbridge.v1.Outcome.$Properties
             * @deprecated Use tillbridge.v1.Outcome.$Properties instead.
             */

            /**
             * Shape of an Outcome.
             * @typedef {tillbridge.v1.Outcome.$Properties} tillbridge.v1.Outcome.$Shape
             */

            /**
             * Constructs a new Outcome.
             * @memberof tillbridge.v1
             * @classdesc Represents an Outcome.
             * @constructor
             * @param {tillbridge.v1.Outcome.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Outcome = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Outcome disposition.
             * @member {tillbridge.v1.Outcome.Disposition} disposition
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.disposition = 0;

            /**
             * Outcome paymentId.
             * @member {string} paymentId
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.paymentId = "";

            /**
             * Outcome resultCode.
             * @member {string} resultCode
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.resultCode = "";

            /**
             * Outcome description.
             * @member {string} description
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.description = "";

            /**
             * Outcome amount.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} amount
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.amount = null;

            /**
             * Outcome approvalCode.
             * @member {string} approvalCode
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.approvalCode = "";

            /**
             * Outcome responseCode.
             * @member {string} responseCode
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.responseCode = "";

            /**
             * Outcome iccDataResponse.
             * @member {Uint8Array} iccDataResponse
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.iccDataResponse = $util.newBuffer([]);

            /**
             * Outcome brand.
             * @member {string} brand
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.brand = "";

            /**
             * Outcome availableBalance.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} availableBalance
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.availableBalance = null;

            /**
             * Outcome cashBack.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} cashBack
             * @memberof tillbridge.v1.Outcome
             * @instance
             */
            Outcome.prototype.cashBack = null;

            /**
             * Encodes the specified Outcome message. Does not implicitly {@link tillbridge.v1.Outcome.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Outcome
             * @static
             * @param {tillbridge.v1.Outcome.$Properties} message Outcome message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Outcome.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.disposition != null && $Object.hasOwnProperty.call(message, "disposition") && message.disposition !== 0)
                    writer.uint32(/* id 1, wireType 0 =*/8).int32(message.disposition);
                if (message.paymentId != null && $Object.hasOwnProperty.call(message, "paymentId") && message.paymentId !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.paymentId);
                if (message.resultCode != null && $Object.hasOwnProperty.call(message, "resultCode") && message.resultCode !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.resultCode);
                if (message.description != null && $Object.hasOwnProperty.call(message, "description") && message.description !== "")
                    writer.uint32(/* id 4, wireType 2 =*/34).string(message.description);
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    $root.tillbridge.v1.Money.encode(message.amount, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                if (message.approvalCode != null && $Object.hasOwnProperty.call(message, "approvalCode") && message.approvalCode !== "")
                    writer.uint32(/* id 6, wireType 2 =*/50).string(message.approvalCode);
                if (message.responseCode != null && $Object.hasOwnProperty.call(message, "responseCode") && message.responseCode !== "")
                    writer.uint32(/* id 7, wireType 2 =*/58).string(message.responseCode);
                if (message.iccDataResponse != null && $Object.hasOwnProperty.call(message, "iccDataResponse") && message.iccDataResponse.length)
                    writer.uint32(/* id 8, wireType 2 =*/66).bytes(message.iccDataResponse);
                if (message.brand != null && $Object.hasOwnProperty.call(message, "brand") && message.brand !== "")
                    writer.uint32(/* id 9, wireType 2 =*/74).string(message.brand);
                if (message.availableBalance != null && $Object.hasOwnProperty.call(message, "availableBalance"))
                    $root.tillbridge.v1.Money.encode(message.availableBalance, writer.uint32(/* id 10, wireType 2 =*/82).fork(), _depth + 1).ldelim();
                if (message.cashBack != null && $Object.hasOwnProperty.call(message, "cashBack"))
                    $root.tillbridge.v1.Money.encode(message.cashBack, writer.uint32(/* id 11, wireType 2 =*/90).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an Outcome message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Outcome
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Outcome & tillbridge.v1.Outcome.$Shape} Outcome
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Outcome.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Outcome();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.disposition = value;
                            else
                                delete message.disposition;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.paymentId = value;
                            else
                                delete message.paymentId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.resultCode = value;
                            else
                                delete message.resultCode;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.description = value;
                            else
                                delete message.description;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.amount = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.amount);
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.approvalCode = value;
                            else
                                delete message.approvalCode;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.responseCode = value;
                            else
                                delete message.responseCode;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.iccDataResponse = value;
                            else
                                delete message.iccDataResponse;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.brand = value;
                            else
                                delete message.brand;
                            continue;
                        }
                    case 10: {
                            if (wireType !== 2)
                                break;
                            message.availableBalance = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.availableBalance);
                            continue;
                        }
                    case 11: {
                            if (wireType !== 2)
                                break;
                            message.cashBack = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.cashBack);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an Outcome message.
             * @function verify
             * @memberof tillbridge.v1.Outcome
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Outcome.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.disposition != null && $Object.hasOwnProperty.call(message, "disposition"))
                    if (typeof message.disposition !== "number" || (message.disposition | 0) !== message.disposition)
                        return "disposition: enum value expected";
                if (message.paymentId != null && $Object.hasOwnProperty.call(message, "paymentId"))
                    if (!$util.isString(message.paymentId))
                        return "paymentId: string expected";
                if (message.resultCode != null && $Object.hasOwnProperty.call(message, "resultCode"))
                    if (!$util.isString(message.resultCode))
                        return "resultCode: string expected";
                if (message.description != null && $Object.hasOwnProperty.call(message, "description"))
                    if (!$util.isString(message.description))
                        return "description: string expected";
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount")) {
                    let error = $root.tillbridge.v1.Money.verify(message.amount, _depth + 1);
                    if (error)
                        return "amount." + error;
                }
                if (message.approvalCode != null && $Object.hasOwnProperty.call(message, "approvalCode"))
                    if (!$util.isString(message.approvalCode))
                        return "approvalCode: string expected";
                if (message.responseCode != null && $Object.hasOwnProperty.call(message, "responseCode"))
                    if (!$util.isString(message.responseCode))
                        return "responseCode: string expected";
                if (message.iccDataResponse != null && $Object.hasOwnProperty.call(message, "iccDataResponse"))
                    if (!(message.iccDataResponse && typeof message.iccDataResponse.length === "number" || $util.isString(message.iccDataResponse)))
                        return "iccDataResponse: buffer expected";
                if (message.brand != null && $Object.hasOwnProperty.call(message, "brand"))
                    if (!$util.isString(message.brand))
                        return "brand: string expected";
                if (message.availableBalance != null && $Object.hasOwnProperty.call(message, "availableBalance")) {
                    let error = $root.tillbridge.v1.Money.verify(message.availableBalance, _depth + 1);
                    if (error)
                        return "availableBalance." + error;
                }
                if (message.cashBack != null && $Object.hasOwnProperty.call(message, "cashBack")) {
                    let error = $root.tillbridge.v1.Money.verify(message.cashBack, _depth + 1);
                    if (error)
                        return "cashBack." + error;
                }
                return null;
            };

            /**
             * Creates an Outcome message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Outcome
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Outcome} Outcome
             */
            Outcome.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Outcome)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Outcome: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Outcome();
                if (object.disposition !== 0 && (typeof object.disposition !== "string" || $root.tillbridge.v1.Outcome.Disposition[object.disposition] !== 0))
                    switch (object.disposition) {
                    case "DISPOSITION_UNSPECIFIED":
                    case 0:
                        message.disposition = 0;
                        break;
                    case "APPROVED":
                    case 1:
                        message.disposition = 1;
                        break;
                    case "DECLINED":
                    case 2:
                        message.disposition = 2;
                        break;
                    case "REVERSED":
                    case 3:
                        message.disposition = 3;
                        break;
                    case "NOTHING_TO_REVERSE":
                    case 4:
                        message.disposition = 4;
                        break;
                    case "REFUSED":
                    case 5:
                        message.disposition = 5;
                        break;
                    default:
                        if (typeof object.disposition === "number" && (object.disposition | 0) === object.disposition)
                            message.disposition = object.disposition;
                    }
                if (object.paymentId != null)
                    if (typeof object.paymentId !== "string" || object.paymentId.length)
                        message.paymentId = $String(object.paymentId);
                if (object.resultCode != null)
                    if (typeof object.resultCode !== "string" || object.resultCode.length)
                        message.resultCode = $String(object.resultCode);
                if (object.description != null)
                    if (typeof object.description !== "string" || object.description.length)
                        message.description = $String(object.description);
                if (object.amount != null) {
                    if (!$util.isObject(object.amount))
                        throw $TypeError(".tillbridge.v1.Outcome.amount: object expected");
                    message.amount = $root.tillbridge.v1.Money.fromObject(object.amount, _depth + 1);
                }
                if (object.approvalCode != null)
                    if (typeof object.approvalCode !== "string" || object.approvalCode.length)
                        message.approvalCode = $String(object.approvalCode);
                if (object.responseCode != null)
                    if (typeof object.responseCode !== "string" || object.responseCode.length)
                        message.responseCode = $String(object.responseCode);
                if (object.iccDataResponse != null)
                    if (object.iccDataResponse.length)
                        if (typeof object.iccDataResponse === "string")
                            $util.base64.decode(object.iccDataResponse, message.iccDataResponse = $util.newBuffer($util.base64.length(object.iccDataResponse)), 0);
                        else if (object.iccDataResponse.length >= 0)
                            message.iccDataResponse = object.iccDataResponse;
                if (object.brand != null)
                    if (typeof object.brand !== "string" || object.brand.length)
                        message.brand = $String(object.brand);
                if (object.availableBalance != null) {
                    if (!$util.isObject(object.availableBalance))
                        throw $TypeError(".tillbridge.v1.Outcome.availableBalance: object expected");
                    message.availableBalance = $root.tillbridge.v1.Money.fromObject(object.availableBalance, _depth + 1);
                }
                if (object.cashBack != null) {
                    if (!$util.isObject(object.cashBack))
                        throw $TypeError(".tillbridge.v1.Outcome.cashBack: object expected");
                    message.cashBack = $root.tillbridge.v1.Money.fromObject(object.cashBack, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from an Outcome message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Outcome
             * @static
             * @param {tillbridge.v1.Outcome} message Outcome
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Outcome.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.disposition = options.enums === $String ? "DISPOSITION_UNSPECIFIED" : 0;
                    object.paymentId = "";
                    object.resultCode = "";
                    object.description = "";
                    object.amount = null;
                    object.approvalCode = "";
                    object.responseCode = "";
                    if (options.bytes === $String)
                        object.iccDataResponse = "";
                    else {
                        object.iccDataResponse = [];
                        if (options.bytes !== $Array)
                            object.iccDataResponse = $util.newBuffer(object.iccDataResponse);
                    }
                    object.brand = "";
                    object.availableBalance = null;
                    object.cashBack = null;
                }
                if (message.disposition != null && $Object.hasOwnProperty.call(message, "disposition"))
                    object.disposition = options.enums === $String ? $root.tillbridge.v1.Outcome.Disposition[message.disposition] === $undefined ? message.disposition : $root.tillbridge.v1.Outcome.Disposition[message.disposition] : message.disposition;
                if (message.paymentId != null && $Object.hasOwnProperty.call(message, "paymentId"))
                    object.paymentId = message.paymentId;
                if (message.resultCode != null && $Object.hasOwnProperty.call(message, "resultCode"))
                    object.resultCode = message.resultCode;
                if (message.description != null && $Object.hasOwnProperty.call(message, "description"))
                    object.description = message.description;
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    object.amount = $root.tillbridge.v1.Money.toObject(message.amount, options, _depth + 1);
                if (message.approvalCode != null && $Object.hasOwnProperty.call(message, "approvalCode"))
                    object.approvalCode = message.approvalCode;
                if (message.responseCode != null && $Object.hasOwnProperty.call(message, "responseCode"))
                    object.responseCode = message.responseCode;
                if (message.iccDataResponse != null && $Object.hasOwnProperty.call(message, "iccDataResponse"))
                    object.iccDataResponse = options.bytes === $String ? $util.base64.encode(message.iccDataResponse, 0, message.iccDataResponse.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.iccDataResponse) : message.iccDataResponse;
                if (message.brand != null && $Object.hasOwnProperty.call(message, "brand"))
                    object.brand = message.brand;
                if (message.availableBalance != null && $Object.hasOwnProperty.call(message, "availableBalance"))
                    object.availableBalance = $root.tillbridge.v1.Money.toObject(message.availableBalance, options, _depth + 1);
                if (message.cashBack != null && $Object.hasOwnProperty.call(message, "cashBack"))
                    object.cashBack = $root.tillbridge.v1.Money.toObject(message.cashBack, options, _depth + 1);
                return object;
            };

            /**
             * Converts this Outcome to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Outcome
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Outcome.prototype.toJSON = function() {
                return Outcome.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Outcome
             * @function getTypeUrl
             * @memberof tillbridge.v1.Outcome
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Outcome.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Outcome";
            };

            /**
             * Disposition enum.
             * @name tillbridge.v1.Outcome.Disposition
             * @enum {number}
             * @property {number} DISPOSITION_UNSPECIFIED=0 DISPOSITION_UNSPECIFIED value
             * @property {number} APPROVED=1 APPROVED value
             * @property {number} DECLINED=2 DECLINED value
             * @property {number} REVERSED=3 REVERSED value
             * @property {number} NOTHING_TO_REVERSE=4 NOTHING_TO_REVERSE value
             * @property {number} REFUSED=5 REFUSED value
             */
            Outcome.Disposition = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "DISPOSITION_UNSPECIFIED"] = 0;
                values[valuesById[1] = "APPROVED"] = 1;
                values[valuesById[2] = "DECLINED"] = 2;
                values[valuesById[3] = "REVERSED"] = 3;
                values[valuesById[4] = "NOTHING_TO_REVERSE"] = 4;
                values[valuesById[5] = "REFUSED"] = 5;
                return values;
            })();

            return Outcome;
        })();

        v1.AuthorizationAnswer = (function() {

            /**
             * Properties of an AuthorizationAnswer.
             * @typedef {Object} tillbridge.v1.AuthorizationAnswer.$Properties
             * @property {string|null} [messageId] AuthorizationAnswer messageId
             * @property {tillbridge.v1.Outcome.$Properties|null} [outcome] AuthorizationAnswer outcome
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an AuthorizationAnswer.
             * @memberof tillbridge.v1
             * @interface IAuthorizationAnswer
             * @augments tillbridge.v1.AuthorizationAnswer.$Properties
             * @deprecated Use tillbridge.v1.AuthorizationAnswer.$Properties instead.
             */

            /**
             * Shape of an AuthorizationAnswer.
             * @typedef {tillbridge.v1.AuthorizationAnswer.$Properties} tillbridge.v1.AuthorizationAnswer.$Shape
             */

            /**
             * Constructs a new AuthorizationAnswer.
             * @memberof tillbridge.v1
             * @classdesc Represents an AuthorizationAnswer.
             * @constructor
             * @param {tillbridge.v1.AuthorizationAnswer.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const AuthorizationAnswer = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * AuthorizationAnswer messageId.
             * @member {string} messageId
             * @memberof tillbridge.v1.AuthorizationAnswer
             * @instance
             */
            AuthorizationAnswer.prototype.messageId = "";

            /**
             * AuthorizationAnswer outcome.
             * @member {tillbridge.v1.Outcome.$Properties|null|undefined} outcome
             * @memberof tillbridge.v1.AuthorizationAnswer
             * @instance
             */
            AuthorizationAnswer.prototype.outcome = null;

            /**
             * Encodes the specified AuthorizationAnswer message. Does not implicitly {@link tillbridge.v1.AuthorizationAnswer.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.AuthorizationAnswer
             * @static
             * @param {tillbridge.v1.AuthorizationAnswer.$Properties} message AuthorizationAnswer message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            AuthorizationAnswer.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId") && message.messageId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.messageId);
                if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome"))
                    $root.tillbridge.v1.Outcome.encode(message.outcome, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an AuthorizationAnswer message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.AuthorizationAnswer
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.AuthorizationAnswer & tillbridge.v1.AuthorizationAnswer.$Shape} AuthorizationAnswer
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            AuthorizationAnswer.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.AuthorizationAnswer();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.messageId = value;
                            else
                                delete message.messageId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.outcome = $root.tillbridge.v1.Outcome.decode(reader, reader.size(), $undefined, _depth + 1, message.outcome);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an AuthorizationAnswer message.
             * @function verify
             * @memberof tillbridge.v1.AuthorizationAnswer
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            AuthorizationAnswer.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    if (!$util.isString(message.messageId))
                        return "messageId: string expected";
                if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome")) {
                    let error = $root.tillbridge.v1.Outcome.verify(message.outcome, _depth + 1);
                    if (error)
                        return "outcome." + error;
                }
                return null;
            };

            /**
             * Creates an AuthorizationAnswer message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.AuthorizationAnswer
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.AuthorizationAnswer} AuthorizationAnswer
             */
            AuthorizationAnswer.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.AuthorizationAnswer)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.AuthorizationAnswer: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.AuthorizationAnswer();
                if (object.messageId != null)
                    if (typeof object.messageId !== "string" || object.messageId.length)
                        message.messageId = $String(object.messageId);
                if (object.outcome != null) {
                    if (!$util.isObject(object.outcome))
                        throw $TypeError(".tillbridge.v1.AuthorizationAnswer.outcome: object expected");
                    message.outcome = $root.tillbridge.v1.Outcome.fromObject(object.outcome, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from an AuthorizationAnswer message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.AuthorizationAnswer
             * @static
             * @param {tillbridge.v1.AuthorizationAnswer} message AuthorizationAnswer
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            AuthorizationAnswer.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.messageId = "";
                    object.outcome = null;
                }
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    object.messageId = message.messageId;
                if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome"))
                    object.outcome = $root.tillbridge.v1.Outcome.toObject(message.outcome, options, _depth + 1);
                return object;
            };

            /**
             * Converts this AuthorizationAnswer to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.AuthorizationAnswer
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            AuthorizationAnswer.prototype.toJSON = function() {
                return AuthorizationAnswer.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for AuthorizationAnswer
             * @function getTypeUrl
             * @memberof tillbridge.v1.AuthorizationAnswer
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            AuthorizationAnswer.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.AuthorizationAnswer";
            };

            return AuthorizationAnswer;
        })();

        v1.StatusRequest = (function() {

            /**
             * Properties of a StatusRequest.
             * @typedef {Object} tillbridge.v1.StatusRequest.$Properties
             * @property {string|null} [messageId] StatusRequest messageId
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a StatusRequest.
             * @memberof tillbridge.v1
             * @interface IStatusRequest
             * @augments tillbridge.v1.StatusRequest.$Properties
             * @deprecated Use tillbridge.v1.StatusRequest.$Properties instead.
             */

            /**
             * Shape of a StatusRequest.
             * @typedef {tillbridge.v1.StatusRequest.$Properties} tillbridge.v1.StatusRequest.$Shape
             */

            /**
             * Constructs a new StatusRequest.
             * @memberof tillbridge.v1
             * @classdesc Represents a StatusRequest.
             * @constructor
             * @param {tillbridge.v1.StatusRequest.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const StatusRequest = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * StatusRequest messageId.
             * @member {string} messageId
             * @memberof tillbridge.v1.StatusRequest
             * @instance
             */
            StatusRequest.prototype.messageId = "";

            /**
             * Encodes the specified StatusRequest message. Does not implicitly {@link tillbridge.v1.StatusRequest.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.StatusRequest
             * @static
             * @param {tillbridge.v1.StatusRequest.$Properties} message StatusRequest message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            StatusRequest.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId") && message.messageId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.messageId);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a StatusRequest message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.StatusRequest
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.StatusRequest & tillbridge.v1.StatusRequest.$Shape} StatusRequest
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            StatusRequest.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.StatusRequest();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.messageId = value;
                            else
                                delete message.messageId;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a StatusRequest message.
             * @function verify
             * @memberof tillbridge.v1.StatusRequest
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            StatusRequest.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    if (!$util.isString(message.messageId))
                        return "messageId: string expected";
                return null;
            };

            /**
             * Creates a StatusRequest message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.StatusRequest
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.StatusRequest} StatusRequest
             */
            StatusRequest.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.StatusRequest)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.StatusRequest: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.StatusRequest();
                if (object.messageId != null)
                    if (typeof object.messageId !== "string" || object.messageId.length)
                        message.messageId = $String(object.messageId);
                return message;
            };

            /**
             * Creates a plain object from a StatusRequest message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.StatusRequest
             * @static
             * @param {tillbridge.v1.StatusRequest} message StatusRequest
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            StatusRequest.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults)
                    object.messageId = "";
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    object.messageId = message.messageId;
                return object;
            };

            /**
             * Converts this StatusRequest to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.StatusRequest
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            StatusRequest.prototype.toJSON = function() {
                return StatusRequest.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for StatusRequest
             * @function getTypeUrl
             * @memberof tillbridge.v1.StatusRequest
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            StatusRequest.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.StatusRequest";
            };

            return StatusRequest;
        })();

        v1.StatusAnswer = (function() {

            /**
             * Properties of a StatusAnswer.
             * @typedef {Object} tillbridge.v1.StatusAnswer.$Properties
             * @property {string|null} [messageId] StatusAnswer messageId
             * @property {tillbridge.v1.StatusAnswer.State|null} [state] StatusAnswer state
             * @property {tillbridge.v1.Outcome.$Properties|null} [outcome] StatusAnswer outcome
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a StatusAnswer.
             * @memberof tillbridge.v1
             * @interface IStatusAnswer
             * @augments tillbridge.v1.StatusAnswer.$Properties
             * @deprecated Use tillbridge.v1.StatusAnswer.$Properties instead.
             */

            /**
             * Shape of a StatusAnswer.
             * @typedef {tillbridge.v1.StatusAnswer.$Properties} tillbridge.v1.StatusAnswer.$Shape
             */

            /**
             * Constructs a new StatusAnswer.
             * @memberof tillbridge.v1
             * @classdesc Represents a StatusAnswer.
             * @constructor
             * @param {tillbridge.v1.StatusAnswer.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const StatusAnswer = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * StatusAnswer messageId.
             * @member {string} messageId
             * @memberof tillbridge.v1.StatusAnswer
             * @instance
             */
            StatusAnswer.prototype.messageId = "";

            /**
             * StatusAnswer state.
             * @member {tillbridge.v1.StatusAnswer.State} state
             * @memberof tillbridge.v1.StatusAnswer
             * @instance
             */
            StatusAnswer.prototype.state = 0;

            /**
             * StatusAnswer outcome.
             * @member {tillbridge.v1.Outcome.$Properties|null|undefined} outcome
             * @memberof tillbridge.v1.StatusAnswer
             * @instance
             */
            StatusAnswer.prototype.outcome = null;

            /**
             * Encodes the specified StatusAnswer message. Does not implicitly {@link tillbridge.v1.StatusAnswer.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.StatusAnswer
             * @static
             * @param {tillbridge.v1.StatusAnswer.$Properties} message StatusAnswer message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            StatusAnswer.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId") && message.messageId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.messageId);
                if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state !== 0)
                    writer.uint32(/* id 2, wireType 0 =*/16).int32(message.state);
                if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome"))
                    $root.tillbridge.v1.Outcome.encode(message.outcome, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a StatusAnswer message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.StatusAnswer
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.StatusAnswer & tillbridge.v1.StatusAnswer.$Shape} StatusAnswer
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            StatusAnswer.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.StatusAnswer();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.messageId = value;
                            else
                                delete message.messageId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.state = value;
                            else
                                delete message.state;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.outcome = $root.tillbridge.v1.Outcome.decode(reader, reader.size(), $undefined, _depth + 1, message.outcome);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a StatusAnswer message.
             * @function verify
             * @memberof tillbridge.v1.StatusAnswer
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            StatusAnswer.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    if (!$util.isString(message.messageId))
                        return "messageId: string expected";
                if (message.state != null && $Object.hasOwnProperty.call(message, "state"))
                    if (typeof message.state !== "number" || (message.state | 0) !== message.state)
                        return "state: enum value expected";
                if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome")) {
                    let error = $root.tillbridge.v1.Outcome.verify(message.outcome, _depth + 1);
                    if (error)
                        return "outcome." + error;
                }
                return null;
            };

            /**
             * Creates a StatusAnswer message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.StatusAnswer
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.StatusAnswer} StatusAnswer
             */
            StatusAnswer.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.StatusAnswer)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.StatusAnswer: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.StatusAnswer();
                if (object.messageId != null)
                    if (typeof object.messageId !== "string" || object.messageId.length)
                        message.messageId = $String(object.messageId);
                if (object.state !== 0 && (typeof object.state !== "string" || $root.tillbridge.v1.StatusAnswer.State[object.state] !== 0))
                    switch (object.state) {
                    case "STATE_UNSPECIFIED":
                    case 0:
                        message.state = 0;
                        break;
                    case "NOT_SEEN":
                    case 1:
                        message.state = 1;
                        break;
                    case "IN_PROGRESS":
                    case 2:
                        message.state = 2;
                        break;
                    case "ANSWERED":
                    case 3:
                        message.state = 3;
                        break;
                    case "TOMBSTONED":
                    case 4:
                        message.state = 4;
                        break;
                    default:
                        if (typeof object.state === "number" && (object.state | 0) === object.state)
                            message.state = object.state;
                    }
                if (object.outcome != null) {
                    if (!$util.isObject(object.outcome))
                        throw $TypeError(".tillbridge.v1.StatusAnswer.outcome: object expected");
                    message.outcome = $root.tillbridge.v1.Outcome.fromObject(object.outcome, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from a StatusAnswer message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.StatusAnswer
             * @static
             * @param {tillbridge.v1.StatusAnswer} message StatusAnswer
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            StatusAnswer.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.messageId = "";
                    object.state = options.enums === $String ? "STATE_UNSPECIFIED" : 0;
                    object.outcome = null;
                }
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    object.messageId = message.messageId;
                if (message.state != null && $Object.hasOwnProperty.call(message, "state"))
                    object.state = options.enums === $String ? $root.tillbridge.v1.StatusAnswer.State[message.state] === $undefined ? message.state : $root.tillbridge.v1.StatusAnswer.State[message.state] : message.state;
                if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome"))
                    object.outcome = $root.tillbridge.v1.Outcome.toObject(message.outcome, options, _depth + 1);
                return object;
            };

            /**
             * Converts this StatusAnswer to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.StatusAnswer
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            StatusAnswer.prototype.toJSON = function() {
                return StatusAnswer.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for StatusAnswer
             * @function getTypeUrl
             * @memberof tillbridge.v1.StatusAnswer
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            StatusAnswer.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.StatusAnswer";
            };

            /**
             * State enum.
             * @name tillbridge.v1.StatusAnswer.State
             * @enum {number}
             * @property {number} STATE_UNSPECIFIED=0 STATE_UNSPECIFIED value
             * @property {number} NOT_SEEN=1 NOT_SEEN value
             * @property {number} IN_PROGRESS=2 IN_PROGRESS value
             * @property {number} ANSWERED=3 ANSWERED value
             * @property {number} TOMBSTONED=4 TOMBSTONED value
             */
            StatusAnswer.State = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "STATE_UNSPECIFIED"] = 0;
                values[valuesById[1] = "NOT_SEEN"] = 1;
                values[valuesById[2] = "IN_PROGRESS"] = 2;
                values[valuesById[3] = "ANSWERED"] = 3;
                values[valuesById[4] = "TOMBSTONED"] = 4;
                return values;
            })();

            return StatusAnswer;
        })();

        v1.Reversal = (function() {

            /**
             * Properties of a Reversal.
             * @typedef {Object} tillbridge.v1.Reversal.$Properties
             * @property {string|null} [originalMessageId] Reversal originalMessageId
             * @property {string|null} [reference] Reversal reference
             * @property {tillbridge.v1.Money.$Properties|null} [amount] Reversal amount
             * @property {string|null} [reason] Reversal reason
             * @property {Uint8Array|null} [iccData] Reversal iccData
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Reversal.
             * @memberof tillbridge.v1
             * @interface IReversal
             * @augments tillbridge.v1.Reversal.$Properties
             * @deprecated Use tillbridge.v1.Reversal.$Properties instead.
             */

            /**
             * Shape of a Reversal.
             * @typedef {tillbridge.v1.Reversal.$Properties} tillbridge.v1.Reversal.$Shape
             */

            /**
             * Constructs a new Reversal.
             * @memberof tillbridge.v1
             * @classdesc Represents a Reversal.
             * @constructor
             * @param {tillbridge.v1.Reversal.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Reversal = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Reversal originalMessageId.
             * @member {string} originalMessageId
             * @memberof tillbridge.v1.Reversal
             * @instance
             */
            Reversal.prototype.originalMessageId = "";

            /**
             * Reversal reference.
             * @member {string} reference
             * @memberof tillbridge.v1.Reversal
             * @instance
             */
            Reversal.prototype.reference = "";

            /**
             * Reversal amount.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} amount
             * @memberof tillbridge.v1.Reversal
             * @instance
             */
            Reversal.prototype.amount = null;

            /**
             * Reversal reason.
             * @member {string} reason
             * @memberof tillbridge.v1.Reversal
             * @instance
             */
            Reversal.prototype.reason = "";

            /**
             * Reversal iccData.
             * @member {Uint8Array} iccData
             * @memberof tillbridge.v1.Reversal
             * @instance
             */
            Reversal.prototype.iccData = $util.newBuffer([]);

            /**
             * Encodes the specified Reversal message. Does not implicitly {@link tillbridge.v1.Reversal.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Reversal
             * @static
             * @param {tillbridge.v1.Reversal.$Properties} message Reversal message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Reversal.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId") && message.originalMessageId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.originalMessageId);
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference") && message.reference !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.reference);
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    $root.tillbridge.v1.Money.encode(message.amount, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                    writer.uint32(/* id 4, wireType 2 =*/34).string(message.reason);
                if (message.iccData != null && $Object.hasOwnProperty.call(message, "iccData") && message.iccData.length)
                    writer.uint32(/* id 5, wireType 2 =*/42).bytes(message.iccData);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Reversal message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Reversal
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Reversal & tillbridge.v1.Reversal.$Shape} Reversal
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Reversal.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Reversal();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.originalMessageId = value;
                            else
                                delete message.originalMessageId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reference = value;
                            else
                                delete message.reference;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.amount = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.amount);
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reason = value;
                            else
                                delete message.reason;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.iccData = value;
                            else
                                delete message.iccData;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Reversal message.
             * @function verify
             * @memberof tillbridge.v1.Reversal
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Reversal.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    if (!$util.isString(message.originalMessageId))
                        return "originalMessageId: string expected";
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    if (!$util.isString(message.reference))
                        return "reference: string expected";
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount")) {
                    let error = $root.tillbridge.v1.Money.verify(message.amount, _depth + 1);
                    if (error)
                        return "amount." + error;
                }
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    if (!$util.isString(message.reason))
                        return "reason: string expected";
                if (message.iccData != null && $Object.hasOwnProperty.call(message, "iccData"))
                    if (!(message.iccData && typeof message.iccData.length === "number" || $util.isString(message.iccData)))
                        return "iccData: buffer expected";
                return null;
            };

            /**
             * Creates a Reversal message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Reversal
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Reversal} Reversal
             */
            Reversal.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Reversal)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Reversal: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Reversal();
                if (object.originalMessageId != null)
                    if (typeof object.originalMessageId !== "string" || object.originalMessageId.length)
                        message.originalMessageId = $String(object.originalMessageId);
                if (object.reference != null)
                    if (typeof object.reference !== "string" || object.reference.length)
                        message.reference = $String(object.reference);
                if (object.amount != null) {
                    if (!$util.isObject(object.amount))
                        throw $TypeError(".tillbridge.v1.Reversal.amount: object expected");
                    message.amount = $root.tillbridge.v1.Money.fromObject(object.amount, _depth + 1);
                }
                if (object.reason != null)
                    if (typeof object.reason !== "string" || object.reason.length)
                        message.reason = $String(object.reason);
                if (object.iccData != null)
                    if (object.iccData.length)
                        if (typeof object.iccData === "string")
                            $util.base64.decode(object.iccData, message.iccData = $util.newBuffer($util.base64.length(object.iccData)), 0);
                        else if (object.iccData.length >= 0)
                            message.iccData = object.iccData;
                return message;
            };

            /**
             * Creates a plain object from a Reversal message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Reversal
             * @static
             * @param {tillbridge.v1.Reversal} message Reversal
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Reversal.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.originalMessageId = "";
                    object.reference = "";
                    object.amount = null;
                    object.reason = "";
                    if (options.bytes === $String)
                        object.iccData = "";
                    else {
                        object.iccData = [];
                        if (options.bytes !== $Array)
                            object.iccData = $util.newBuffer(object.iccData);
                    }
                }
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    object.originalMessageId = message.originalMessageId;
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    object.reference = message.reference;
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    object.amount = $root.tillbridge.v1.Money.toObject(message.amount, options, _depth + 1);
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    object.reason = message.reason;
                if (message.iccData != null && $Object.hasOwnProperty.call(message, "iccData"))
                    object.iccData = options.bytes === $String ? $util.base64.encode(message.iccData, 0, message.iccData.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.iccData) : message.iccData;
                return object;
            };

            /**
             * Converts this Reversal to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Reversal
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Reversal.prototype.toJSON = function() {
                return Reversal.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Reversal
             * @function getTypeUrl
             * @memberof tillbridge.v1.Reversal
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Reversal.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Reversal";
            };

            return Reversal;
        })();

        v1.CancelIfUnseen = (function() {

            /**
             * Properties of a CancelIfUnseen.
             * @typedef {Object} tillbridge.v1.CancelIfUnseen.$Properties
             * @property {string|null} [originalMessageId] CancelIfUnseen originalMessageId
             * @property {string|null} [reference] CancelIfUnseen reference
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a CancelIfUnseen.
             * @memberof tillbridge.v1
             * @interface ICancelIfUnseen
             * @augments tillbridge.v1.CancelIfUnseen.$Properties
             * @deprecated Use tillbridge.v1.CancelIfUnseen.$Properties instead.
             */

            /**
             * Shape of a CancelIfUnseen.
             * @typedef {tillbridge.v1.CancelIfUnseen.$Properties} tillbridge.v1.CancelIfUnseen.$Shape
             */

            /**
             * Constructs a new CancelIfUnseen.
             * @memberof tillbridge.v1
             * @classdesc Represents a CancelIfUnseen.
             * @constructor
             * @param {tillbridge.v1.CancelIfUnseen.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const CancelIfUnseen = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * CancelIfUnseen originalMessageId.
             * @member {string} originalMessageId
             * @memberof tillbridge.v1.CancelIfUnseen
             * @instance
             */
            CancelIfUnseen.prototype.originalMessageId = "";

            /**
             * CancelIfUnseen reference.
             * @member {string} reference
             * @memberof tillbridge.v1.CancelIfUnseen
             * @instance
             */
            CancelIfUnseen.prototype.reference = "";

            /**
             * Encodes the specified CancelIfUnseen message. Does not implicitly {@link tillbridge.v1.CancelIfUnseen.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.CancelIfUnseen
             * @static
             * @param {tillbridge.v1.CancelIfUnseen.$Properties} message CancelIfUnseen message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            CancelIfUnseen.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId") && message.originalMessageId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.originalMessageId);
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference") && message.reference !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.reference);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a CancelIfUnseen message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.CancelIfUnseen
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.CancelIfUnseen & tillbridge.v1.CancelIfUnseen.$Shape} CancelIfUnseen
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            CancelIfUnseen.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.CancelIfUnseen();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.originalMessageId = value;
                            else
                                delete message.originalMessageId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reference = value;
                            else
                                delete message.reference;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a CancelIfUnseen message.
             * @function verify
             * @memberof tillbridge.v1.CancelIfUnseen
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            CancelIfUnseen.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    if (!$util.isString(message.originalMessageId))
                        return "originalMessageId: string expected";
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    if (!$util.isString(message.reference))
                        return "reference: string expected";
                return null;
            };

            /**
             * Creates a CancelIfUnseen message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.CancelIfUnseen
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.CancelIfUnseen} CancelIfUnseen
             */
            CancelIfUnseen.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.CancelIfUnseen)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.CancelIfUnseen: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.CancelIfUnseen();
                if (object.originalMessageId != null)
                    if (typeof object.originalMessageId !== "string" || object.originalMessageId.length)
                        message.originalMessageId = $String(object.originalMessageId);
                if (object.reference != null)
                    if (typeof object.reference !== "string" || object.reference.length)
                        message.reference = $String(object.reference);
                return message;
            };

            /**
             * Creates a plain object from a CancelIfUnseen message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.CancelIfUnseen
             * @static
             * @param {tillbridge.v1.CancelIfUnseen} message CancelIfUnseen
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            CancelIfUnseen.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.originalMessageId = "";
                    object.reference = "";
                }
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    object.originalMessageId = message.originalMessageId;
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    object.reference = message.reference;
                return object;
            };

            /**
             * Converts this CancelIfUnseen to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.CancelIfUnseen
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            CancelIfUnseen.prototype.toJSON = function() {
                return CancelIfUnseen.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for CancelIfUnseen
             * @function getTypeUrl
             * @memberof tillbridge.v1.CancelIfUnseen
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            CancelIfUnseen.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.CancelIfUnseen";
            };

            return CancelIfUnseen;
        })();

        v1.OfflineRecord = (function() {

            /**
             * Properties of an OfflineRecord.
             * @typedef {Object} tillbridge.v1.OfflineRecord.$Properties
             * @property {tillbridge.v1.OfflineRecord.Kind|null} [kind] OfflineRecord kind
             * @property {string|null} [reference] OfflineRecord reference
             * @property {tillbridge.v1.SaleType|null} [type] OfflineRecord type
             * @property {tillbridge.v1.Money.$Properties|null} [amount] OfflineRecord amount
             * @property {tillbridge.v1.PosData.$Properties|null} [pos] OfflineRecord pos
             * @property {number|null} [decidedAtMs] OfflineRecord decidedAtMs
             * @property {boolean|null} [expired] OfflineRecord expired
             * @property {number|null} [ageMs] OfflineRecord ageMs
             * @property {tillbridge.v1.Money.$Properties|null} [tip] OfflineRecord tip
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an OfflineRecord.
             * @memberof tillbridge.v1
             * @interface IOfflineRecord
             * @augments tillbridge.v1.OfflineRecord.$Properties
             * @deprecated Use tillbridge.v1.OfflineRecord.$Properties instead.
             */

            /**
             * Shape of an OfflineRecord.
             * @typedef {tillbridge.v1.OfflineRecord.$Properties} tillbridge.v1.OfflineRecord.$Shape
             */

            /**
             * Constructs a new OfflineRecord.
             * @memberof tillbridge.v1
             * @classdesc Represents an OfflineRecord.
             * @constructor
             * @param {tillbridge.v1.OfflineRecord.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const OfflineRecord = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * OfflineRecord kind.
             * @member {tillbridge.v1.OfflineRecord.Kind} kind
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             */
            OfflineRecord.prototype.kind = 0;

            /**
             * OfflineRecord reference.
             * @member {string} reference
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             */
            OfflineRecord.prototype.reference = "";

            /**
             * OfflineRecord type.
             * @member {tillbridge.v1.SaleType} type
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             */
            OfflineRecord.prototype.type = 0;

            /**
             * OfflineRecord amount.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} amount
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             */
            OfflineRecord.prototype.amount = null;

            /**
             * OfflineRecord pos.
             * @member {tillbridge.v1.PosData.$Properties|null|undefined} pos
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             */
            OfflineRecord.prototype.pos = null;

            /**
             * OfflineRecord decidedAtMs.
             * @member {number} decidedAtMs
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             */
            OfflineRecord.prototype.decidedAtMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * OfflineRecord expired.
             * @member {boolean} expired
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             */
            OfflineRecord.prototype.expired = false;

            /**
             * OfflineRecord ageMs.
             * @member {number} ageMs
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             */
            OfflineRecord.prototype.ageMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * OfflineRecord tip.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} tip
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             */
            OfflineRecord.prototype.tip = null;

            /**
             * Encodes the specified OfflineRecord message. Does not implicitly {@link tillbridge.v1.OfflineRecord.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.OfflineRecord
             * @static
             * @param {tillbridge.v1.OfflineRecord.$Properties} message OfflineRecord message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            OfflineRecord.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.kind != null && $Object.hasOwnProperty.call(message, "kind") && message.kind !== 0)
                    writer.uint32(/* id 1, wireType 0 =*/8).int32(message.kind);
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference") && message.reference !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.reference);
                if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
                    writer.uint32(/* id 3, wireType 0 =*/24).int32(message.type);
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    $root.tillbridge.v1.Money.encode(message.amount, writer.uint32(/* id 4, wireType 2 =*/34).fork(), _depth + 1).ldelim();
                if (message.pos != null && $Object.hasOwnProperty.call(message, "pos"))
                    $root.tillbridge.v1.PosData.encode(message.pos, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                if (message.decidedAtMs != null && $Object.hasOwnProperty.call(message, "decidedAtMs") && (typeof message.decidedAtMs === "object" ? message.decidedAtMs.low || message.decidedAtMs.high : message.decidedAtMs !== 0))
                    writer.uint32(/* id 6, wireType 0 =*/48).uint64(message.decidedAtMs);
                if (message.expired != null && $Object.hasOwnProperty.call(message, "expired") && message.expired !== false)
                    writer.uint32(/* id 7, wireType 0 =*/56).bool(message.expired);
                if (message.ageMs != null && $Object.hasOwnProperty.call(message, "ageMs") && (typeof message.ageMs === "object" ? message.ageMs.low || message.ageMs.high : message.ageMs !== 0))
                    writer.uint32(/* id 8, wireType 0 =*/64).uint64(message.ageMs);
                if (message.tip != null && $Object.hasOwnProperty.call(message, "tip"))
                    $root.tillbridge.v1.Money.encode(message.tip, writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an OfflineRecord message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.OfflineRecord
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.OfflineRecord & tillbridge.v1.OfflineRecord.$Shape} OfflineRecord
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            OfflineRecord.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.OfflineRecord();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.kind = value;
                            else
                                delete message.kind;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reference = value;
                            else
                                delete message.reference;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.type = value;
                            else
                                delete message.type;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            message.amount = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.amount);
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.pos = $root.tillbridge.v1.PosData.decode(reader, reader.size(), $undefined, _depth + 1, message.pos);
                            continue;
                        }
                    case 6: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.decidedAtMs = value;
                            else
                                delete message.decidedAtMs;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.expired = value;
                            else
                                delete message.expired;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.ageMs = value;
                            else
                                delete message.ageMs;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            message.tip = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.tip);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an OfflineRecord message.
             * @function verify
             * @memberof tillbridge.v1.OfflineRecord
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            OfflineRecord.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.kind != null && $Object.hasOwnProperty.call(message, "kind"))
                    if (typeof message.kind !== "number" || (message.kind | 0) !== message.kind)
                        return "kind: enum value expected";
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    if (!$util.isString(message.reference))
                        return "reference: string expected";
                if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                    if (typeof message.type !== "number" || (message.type | 0) !== message.type)
                        return "type: enum value expected";
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount")) {
                    let error = $root.tillbridge.v1.Money.verify(message.amount, _depth + 1);
                    if (error)
                        return "amount." + error;
                }
                if (message.pos != null && $Object.hasOwnProperty.call(message, "pos")) {
                    let error = $root.tillbridge.v1.PosData.verify(message.pos, _depth + 1);
                    if (error)
                        return "pos." + error;
                }
                if (message.decidedAtMs != null && $Object.hasOwnProperty.call(message, "decidedAtMs"))
                    if (!$util.isInteger(message.decidedAtMs) && !(message.decidedAtMs && $util.isInteger(message.decidedAtMs.low) && $util.isInteger(message.decidedAtMs.high)))
                        return "decidedAtMs: integer|Long expected";
                if (message.expired != null && $Object.hasOwnProperty.call(message, "expired"))
                    if (typeof message.expired !== "boolean")
                        return "expired: boolean expected";
                if (message.ageMs != null && $Object.hasOwnProperty.call(message, "ageMs"))
                    if (!$util.isInteger(message.ageMs) && !(message.ageMs && $util.isInteger(message.ageMs.low) && $util.isInteger(message.ageMs.high)))
                        return "ageMs: integer|Long expected";
                if (message.tip != null && $Object.hasOwnProperty.call(message, "tip")) {
                    let error = $root.tillbridge.v1.Money.verify(message.tip, _depth + 1);
                    if (error)
                        return "tip." + error;
                }
                return null;
            };

            /**
             * Creates an OfflineRecord message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.OfflineRecord
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.OfflineRecord} OfflineRecord
             */
            OfflineRecord.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.OfflineRecord)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.OfflineRecord: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.OfflineRecord();
                if (object.kind !== 0 && (typeof object.kind !== "string" || $root.tillbridge.v1.OfflineRecord.Kind[object.kind] !== 0))
                    switch (object.kind) {
                    case "KIND_UNSPECIFIED":
                    case 0:
                        message.kind = 0;
                        break;
                    case "CARD_APPROVED":
                    case 1:
                        message.kind = 1;
                        break;
                    case "DEFERRED":
                    case 2:
                        message.kind = 2;
                        break;
                    default:
                        if (typeof object.kind === "number" && (object.kind | 0) === object.kind)
                            message.kind = object.kind;
                    }
                if (object.reference != null)
                    if (typeof object.reference !== "string" || object.reference.length)
                        message.reference = $String(object.reference);
                if (object.type !== 0 && (typeof object.type !== "string" || $root.tillbridge.v1.SaleType[object.type] !== 0))
                    switch (object.type) {
                    case "SALE_TYPE_UNSPECIFIED":
                    case 0:
                        message.type = 0;
                        break;
                    case "SALE":
                    case 1:
                        message.type = 1;
                        break;
                    case "REFUND":
                    case 2:
                        message.type = 2;
                        break;
                    case "PREAUTHORIZATION":
                    case 3:
                        message.type = 3;
                        break;
                    default:
                        if (typeof object.type === "number" && (object.type | 0) === object.type)
                            message.type = object.type;
                    }
                if (object.amount != null) {
                    if (!$util.isObject(object.amount))
                        throw $TypeError(".tillbridge.v1.OfflineRecord.amount: object expected");
                    message.amount = $root.tillbridge.v1.Money.fromObject(object.amount, _depth + 1);
                }
                if (object.pos != null) {
                    if (!$util.isObject(object.pos))
                        throw $TypeError(".tillbridge.v1.OfflineRecord.pos: object expected");
                    message.pos = $root.tillbridge.v1.PosData.fromObject(object.pos, _depth + 1);
                }
                if (object.decidedAtMs != null)
                    if (typeof object.decidedAtMs === "object" ? object.decidedAtMs.low || object.decidedAtMs.high : $Number(object.decidedAtMs) !== 0)
                        if ($util.Long)
                            message.decidedAtMs = $util.Long.fromValue(object.decidedAtMs, true);
                        else if (typeof object.decidedAtMs === "string")
                            message.decidedAtMs = $parseInt(object.decidedAtMs, 10);
                        else if (typeof object.decidedAtMs === "number")
                            message.decidedAtMs = object.decidedAtMs;
                        else if (typeof object.decidedAtMs === "object")
                            message.decidedAtMs = new $util.LongBits(object.decidedAtMs.low >>> 0, object.decidedAtMs.high >>> 0).toNumber(true);
                if (object.expired != null)
                    if (object.expired)
                        message.expired = $Boolean(object.expired);
                if (object.ageMs != null)
                    if (typeof object.ageMs === "object" ? object.ageMs.low || object.ageMs.high : $Number(object.ageMs) !== 0)
                        if ($util.Long)
                            message.ageMs = $util.Long.fromValue(object.ageMs, true);
                        else if (typeof object.ageMs === "string")
                            message.ageMs = $parseInt(object.ageMs, 10);
                        else if (typeof object.ageMs === "number")
                            message.ageMs = object.ageMs;
                        else if (typeof object.ageMs === "object")
                            message.ageMs = new $util.LongBits(object.ageMs.low >>> 0, object.ageMs.high >>> 0).toNumber(true);
                if (object.tip != null) {
                    if (!$util.isObject(object.tip))
                        throw $TypeError(".tillbridge.v1.OfflineRecord.tip: object expected");
                    message.tip = $root.tillbridge.v1.Money.fromObject(object.tip, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from an OfflineRecord message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.OfflineRecord
             * @static
             * @param {tillbridge.v1.OfflineRecord} message OfflineRecord
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            OfflineRecord.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.kind = options.enums === $String ? "KIND_UNSPECIFIED" : 0;
                    object.reference = "";
                    object.type = options.enums === $String ? "SALE_TYPE_UNSPECIFIED" : 0;
                    object.amount = null;
                    object.pos = null;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.decidedAtMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.decidedAtMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.expired = false;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.ageMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.ageMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.tip = null;
                }
                if (message.kind != null && $Object.hasOwnProperty.call(message, "kind"))
                    object.kind = options.enums === $String ? $root.tillbridge.v1.OfflineRecord.Kind[message.kind] === $undefined ? message.kind : $root.tillbridge.v1.OfflineRecord.Kind[message.kind] : message.kind;
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    object.reference = message.reference;
                if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                    object.type = options.enums === $String ? $root.tillbridge.v1.SaleType[message.type] === $undefined ? message.type : $root.tillbridge.v1.SaleType[message.type] : message.type;
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    object.amount = $root.tillbridge.v1.Money.toObject(message.amount, options, _depth + 1);
                if (message.pos != null && $Object.hasOwnProperty.call(message, "pos"))
                    object.pos = $root.tillbridge.v1.PosData.toObject(message.pos, options, _depth + 1);
                if (message.decidedAtMs != null && $Object.hasOwnProperty.call(message, "decidedAtMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.decidedAtMs = typeof message.decidedAtMs === "number" ? $BigInt(message.decidedAtMs) : $util.Long.fromBits(message.decidedAtMs.low >>> 0, message.decidedAtMs.high >>> 0, true).toBigInt();
                    else if (typeof message.decidedAtMs === "number")
                        object.decidedAtMs = options.longs === $String ? $String(message.decidedAtMs) : message.decidedAtMs;
                    else
                        object.decidedAtMs = options.longs === $String ? $util.Long.prototype.toString.call(message.decidedAtMs) : options.longs === $Number ? new $util.LongBits(message.decidedAtMs.low >>> 0, message.decidedAtMs.high >>> 0).toNumber(true) : message.decidedAtMs;
                if (message.expired != null && $Object.hasOwnProperty.call(message, "expired"))
                    object.expired = message.expired;
                if (message.ageMs != null && $Object.hasOwnProperty.call(message, "ageMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.ageMs = typeof message.ageMs === "number" ? $BigInt(message.ageMs) : $util.Long.fromBits(message.ageMs.low >>> 0, message.ageMs.high >>> 0, true).toBigInt();
                    else if (typeof message.ageMs === "number")
                        object.ageMs = options.longs === $String ? $String(message.ageMs) : message.ageMs;
                    else
                        object.ageMs = options.longs === $String ? $util.Long.prototype.toString.call(message.ageMs) : options.longs === $Number ? new $util.LongBits(message.ageMs.low >>> 0, message.ageMs.high >>> 0).toNumber(true) : message.ageMs;
                if (message.tip != null && $Object.hasOwnProperty.call(message, "tip"))
                    object.tip = $root.tillbridge.v1.Money.toObject(message.tip, options, _depth + 1);
                return object;
            };

            /**
             * Converts this OfflineRecord to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.OfflineRecord
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            OfflineRecord.prototype.toJSON = function() {
                return OfflineRecord.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for OfflineRecord
             * @function getTypeUrl
             * @memberof tillbridge.v1.OfflineRecord
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            OfflineRecord.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.OfflineRecord";
            };

            /**
             * Kind enum.
             * @name tillbridge.v1.OfflineRecord.Kind
             * @enum {number}
             * @property {number} KIND_UNSPECIFIED=0 KIND_UNSPECIFIED value
             * @property {number} CARD_APPROVED=1 CARD_APPROVED value
             * @property {number} DEFERRED=2 DEFERRED value
             */
            OfflineRecord.Kind = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "KIND_UNSPECIFIED"] = 0;
                values[valuesById[1] = "CARD_APPROVED"] = 1;
                values[valuesById[2] = "DEFERRED"] = 2;
                return values;
            })();

            return OfflineRecord;
        })();

        v1.Capture = (function() {

            /**
             * Properties of a Capture.
             * @typedef {Object} tillbridge.v1.Capture.$Properties
             * @property {string|null} [originalMessageId] Capture originalMessageId
             * @property {string|null} [reference] Capture reference
             * @property {tillbridge.v1.Money.$Properties|null} [amount] Capture amount
             * @property {boolean|null} [final] Capture final
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Capture.
             * @memberof tillbridge.v1
             * @interface ICapture
             * @augments tillbridge.v1.Capture.$Properties
             * @deprecated Use tillbridge.v1.Capture.$Properties instead.
             */

            /**
             * Shape of a Capture.
             * @typedef {tillbridge.v1.Capture.$Properties} tillbridge.v1.Capture.$Shape
             */

            /**
             * Constructs a new Capture.
             * @memberof tillbridge.v1
             * @classdesc Represents a Capture.
             * @constructor
             * @param {tillbridge.v1.Capture.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Capture = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Capture originalMessageId.
             * @member {string} originalMessageId
             * @memberof tillbridge.v1.Capture
             * @instance
             */
            Capture.prototype.originalMessageId = "";

            /**
             * Capture reference.
             * @member {string} reference
             * @memberof tillbridge.v1.Capture
             * @instance
             */
            Capture.prototype.reference = "";

            /**
             * Capture amount.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} amount
             * @memberof tillbridge.v1.Capture
             * @instance
             */
            Capture.prototype.amount = null;

            /**
             * Capture final.
             * @member {boolean} final
             * @memberof tillbridge.v1.Capture
             * @instance
             */
            Capture.prototype.final = false;

            /**
             * Encodes the specified Capture message. Does not implicitly {@link tillbridge.v1.Capture.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Capture
             * @static
             * @param {tillbridge.v1.Capture.$Properties} message Capture message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Capture.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId") && message.originalMessageId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.originalMessageId);
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference") && message.reference !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.reference);
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    $root.tillbridge.v1.Money.encode(message.amount, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                if (message.final != null && $Object.hasOwnProperty.call(message, "final") && message.final !== false)
                    writer.uint32(/* id 4, wireType 0 =*/32).bool(message.final);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Capture message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Capture
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Capture & tillbridge.v1.Capture.$Shape} Capture
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Capture.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Capture();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.originalMessageId = value;
                            else
                                delete message.originalMessageId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reference = value;
                            else
                                delete message.reference;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.amount = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.amount);
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.final = value;
                            else
                                delete message.final;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Capture message.
             * @function verify
             * @memberof tillbridge.v1.Capture
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Capture.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    if (!$util.isString(message.originalMessageId))
                        return "originalMessageId: string expected";
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    if (!$util.isString(message.reference))
                        return "reference: string expected";
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount")) {
                    let error = $root.tillbridge.v1.Money.verify(message.amount, _depth + 1);
                    if (error)
                        return "amount." + error;
                }
                if (message.final != null && $Object.hasOwnProperty.call(message, "final"))
                    if (typeof message.final !== "boolean")
                        return "final: boolean expected";
                return null;
            };

            /**
             * Creates a Capture message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Capture
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Capture} Capture
             */
            Capture.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Capture)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Capture: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Capture();
                if (object.originalMessageId != null)
                    if (typeof object.originalMessageId !== "string" || object.originalMessageId.length)
                        message.originalMessageId = $String(object.originalMessageId);
                if (object.reference != null)
                    if (typeof object.reference !== "string" || object.reference.length)
                        message.reference = $String(object.reference);
                if (object.amount != null) {
                    if (!$util.isObject(object.amount))
                        throw $TypeError(".tillbridge.v1.Capture.amount: object expected");
                    message.amount = $root.tillbridge.v1.Money.fromObject(object.amount, _depth + 1);
                }
                if (object.final != null)
                    if (object.final)
                        message.final = $Boolean(object.final);
                return message;
            };

            /**
             * Creates a plain object from a Capture message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Capture
             * @static
             * @param {tillbridge.v1.Capture} message Capture
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Capture.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.originalMessageId = "";
                    object.reference = "";
                    object.amount = null;
                    object.final = false;
                }
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    object.originalMessageId = message.originalMessageId;
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    object.reference = message.reference;
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    object.amount = $root.tillbridge.v1.Money.toObject(message.amount, options, _depth + 1);
                if (message.final != null && $Object.hasOwnProperty.call(message, "final"))
                    object.final = message.final;
                return object;
            };

            /**
             * Converts this Capture to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Capture
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Capture.prototype.toJSON = function() {
                return Capture.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Capture
             * @function getTypeUrl
             * @memberof tillbridge.v1.Capture
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Capture.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Capture";
            };

            return Capture;
        })();

        v1.VoiceAuthorization = (function() {

            /**
             * Properties of a VoiceAuthorization.
             * @typedef {Object} tillbridge.v1.VoiceAuthorization.$Properties
             * @property {string|null} [originalMessageId] VoiceAuthorization originalMessageId
             * @property {string|null} [reference] VoiceAuthorization reference
             * @property {tillbridge.v1.Money.$Properties|null} [amount] VoiceAuthorization amount
             * @property {string|null} [approvalCode] VoiceAuthorization approvalCode
             * @property {tillbridge.v1.SaleType|null} [type] VoiceAuthorization type
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a VoiceAuthorization.
             * @memberof tillbridge.v1
             * @interface IVoiceAuthorization
             * @augments tillbridge.v1.VoiceAuthorization.$Properties
             * @deprecated Use tillbridge.v1.VoiceAuthorization.$Properties instead.
             */

            /**
             * Shape of a VoiceAuthorization.
             * @typedef {tillbridge.v1.VoiceAuthorization.$Properties} tillbridge.v1.VoiceAuthorization.$Shape
             */

            /**
             * Constructs a new VoiceAuthorization.
             * @memberof tillbridge.v1
             * @classdesc Represents a VoiceAuthorization.
             * @constructor
             * @param {tillbridge.v1.VoiceAuthorization.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const VoiceAuthorization = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * VoiceAuthorization originalMessageId.
             * @member {string} originalMessageId
             * @memberof tillbridge.v1.VoiceAuthorization
             * @instance
             */
            VoiceAuthorization.prototype.originalMessageId = "";

            /**
             * VoiceAuthorization reference.
             * @member {string} reference
             * @memberof tillbridge.v1.VoiceAuthorization
             * @instance
             */
            VoiceAuthorization.prototype.reference = "";

            /**
             * VoiceAuthorization amount.
             * @member {tillbridge.v1.Money.$Properties|null|undefined} amount
             * @memberof tillbridge.v1.VoiceAuthorization
             * @instance
             */
            VoiceAuthorization.prototype.amount = null;

            /**
             * VoiceAuthorization approvalCode.
             * @member {string} approvalCode
             * @memberof tillbridge.v1.VoiceAuthorization
             * @instance
             */
            VoiceAuthorization.prototype.approvalCode = "";

            /**
             * VoiceAuthorization type.
             * @member {tillbridge.v1.SaleType} type
             * @memberof tillbridge.v1.VoiceAuthorization
             * @instance
             */
            VoiceAuthorization.prototype.type = 0;

            /**
             * Encodes the specified VoiceAuthorization message. Does not implicitly {@link tillbridge.v1.VoiceAuthorization.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.VoiceAuthorization
             * @static
             * @param {tillbridge.v1.VoiceAuthorization.$Properties} message VoiceAuthorization message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            VoiceAuthorization.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId") && message.originalMessageId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.originalMessageId);
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference") && message.reference !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.reference);
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    $root.tillbridge.v1.Money.encode(message.amount, writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                if (message.approvalCode != null && $Object.hasOwnProperty.call(message, "approvalCode") && message.approvalCode !== "")
                    writer.uint32(/* id 4, wireType 2 =*/34).string(message.approvalCode);
                if (message.type != null && $Object.hasOwnProperty.call(message, "type") && message.type !== 0)
                    writer.uint32(/* id 5, wireType 0 =*/40).int32(message.type);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a VoiceAuthorization message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.VoiceAuthorization
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.VoiceAuthorization & tillbridge.v1.VoiceAuthorization.$Shape} VoiceAuthorization
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            VoiceAuthorization.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.VoiceAuthorization();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.originalMessageId = value;
                            else
                                delete message.originalMessageId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reference = value;
                            else
                                delete message.reference;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            message.amount = $root.tillbridge.v1.Money.decode(reader, reader.size(), $undefined, _depth + 1, message.amount);
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.approvalCode = value;
                            else
                                delete message.approvalCode;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.type = value;
                            else
                                delete message.type;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a VoiceAuthorization message.
             * @function verify
             * @memberof tillbridge.v1.VoiceAuthorization
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            VoiceAuthorization.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    if (!$util.isString(message.originalMessageId))
                        return "originalMessageId: string expected";
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    if (!$util.isString(message.reference))
                        return "reference: string expected";
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount")) {
                    let error = $root.tillbridge.v1.Money.verify(message.amount, _depth + 1);
                    if (error)
                        return "amount." + error;
                }
                if (message.approvalCode != null && $Object.hasOwnProperty.call(message, "approvalCode"))
                    if (!$util.isString(message.approvalCode))
                        return "approvalCode: string expected";
                if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                    if (typeof message.type !== "number" || (message.type | 0) !== message.type)
                        return "type: enum value expected";
                return null;
            };

            /**
             * Creates a VoiceAuthorization message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.VoiceAuthorization
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.VoiceAuthorization} VoiceAuthorization
             */
            VoiceAuthorization.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.VoiceAuthorization)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.VoiceAuthorization: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.VoiceAuthorization();
                if (object.originalMessageId != null)
                    if (typeof object.originalMessageId !== "string" || object.originalMessageId.length)
                        message.originalMessageId = $String(object.originalMessageId);
                if (object.reference != null)
                    if (typeof object.reference !== "string" || object.reference.length)
                        message.reference = $String(object.reference);
                if (object.amount != null) {
                    if (!$util.isObject(object.amount))
                        throw $TypeError(".tillbridge.v1.VoiceAuthorization.amount: object expected");
                    message.amount = $root.tillbridge.v1.Money.fromObject(object.amount, _depth + 1);
                }
                if (object.approvalCode != null)
                    if (typeof object.approvalCode !== "string" || object.approvalCode.length)
                        message.approvalCode = $String(object.approvalCode);
                if (object.type !== 0 && (typeof object.type !== "string" || $root.tillbridge.v1.SaleType[object.type] !== 0))
                    switch (object.type) {
                    case "SALE_TYPE_UNSPECIFIED":
                    case 0:
                        message.type = 0;
                        break;
                    case "SALE":
                    case 1:
                        message.type = 1;
                        break;
                    case "REFUND":
                    case 2:
                        message.type = 2;
                        break;
                    case "PREAUTHORIZATION":
                    case 3:
                        message.type = 3;
                        break;
                    default:
                        if (typeof object.type === "number" && (object.type | 0) === object.type)
                            message.type = object.type;
                    }
                return message;
            };

            /**
             * Creates a plain object from a VoiceAuthorization message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.VoiceAuthorization
             * @static
             * @param {tillbridge.v1.VoiceAuthorization} message VoiceAuthorization
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            VoiceAuthorization.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.originalMessageId = "";
                    object.reference = "";
                    object.amount = null;
                    object.approvalCode = "";
                    object.type = options.enums === $String ? "SALE_TYPE_UNSPECIFIED" : 0;
                }
                if (message.originalMessageId != null && $Object.hasOwnProperty.call(message, "originalMessageId"))
                    object.originalMessageId = message.originalMessageId;
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    object.reference = message.reference;
                if (message.amount != null && $Object.hasOwnProperty.call(message, "amount"))
                    object.amount = $root.tillbridge.v1.Money.toObject(message.amount, options, _depth + 1);
                if (message.approvalCode != null && $Object.hasOwnProperty.call(message, "approvalCode"))
                    object.approvalCode = message.approvalCode;
                if (message.type != null && $Object.hasOwnProperty.call(message, "type"))
                    object.type = options.enums === $String ? $root.tillbridge.v1.SaleType[message.type] === $undefined ? message.type : $root.tillbridge.v1.SaleType[message.type] : message.type;
                return object;
            };

            /**
             * Converts this VoiceAuthorization to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.VoiceAuthorization
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            VoiceAuthorization.prototype.toJSON = function() {
                return VoiceAuthorization.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for VoiceAuthorization
             * @function getTypeUrl
             * @memberof tillbridge.v1.VoiceAuthorization
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            VoiceAuthorization.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.VoiceAuthorization";
            };

            return VoiceAuthorization;
        })();

        v1.Acknowledgement = (function() {

            /**
             * Properties of an Acknowledgement.
             * @typedef {Object} tillbridge.v1.Acknowledgement.$Properties
             * @property {string|null} [messageId] Acknowledgement messageId
             * @property {tillbridge.v1.Outcome.$Properties|null} [outcome] Acknowledgement outcome
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of an Acknowledgement.
             * @memberof tillbridge.v1
             * @interface IAcknowledgement
             * @augments tillbridge.v1.Acknowledgement.$Properties
             * @deprecated Use tillbridge.v1.Acknowledgement.$Properties instead.
             */

            /**
             * Shape of an Acknowledgement.
             * @typedef {tillbridge.v1.Acknowledgement.$Properties} tillbridge.v1.Acknowledgement.$Shape
             */

            /**
             * Constructs a new Acknowledgement.
             * @memberof tillbridge.v1
             * @classdesc Represents an Acknowledgement.
             * @constructor
             * @param {tillbridge.v1.Acknowledgement.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Acknowledgement = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Acknowledgement messageId.
             * @member {string} messageId
             * @memberof tillbridge.v1.Acknowledgement
             * @instance
             */
            Acknowledgement.prototype.messageId = "";

            /**
             * Acknowledgement outcome.
             * @member {tillbridge.v1.Outcome.$Properties|null|undefined} outcome
             * @memberof tillbridge.v1.Acknowledgement
             * @instance
             */
            Acknowledgement.prototype.outcome = null;

            /**
             * Encodes the specified Acknowledgement message. Does not implicitly {@link tillbridge.v1.Acknowledgement.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Acknowledgement
             * @static
             * @param {tillbridge.v1.Acknowledgement.$Properties} message Acknowledgement message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Acknowledgement.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId") && message.messageId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.messageId);
                if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome"))
                    $root.tillbridge.v1.Outcome.encode(message.outcome, writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes an Acknowledgement message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Acknowledgement
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Acknowledgement & tillbridge.v1.Acknowledgement.$Shape} Acknowledgement
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Acknowledgement.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Acknowledgement();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.messageId = value;
                            else
                                delete message.messageId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            message.outcome = $root.tillbridge.v1.Outcome.decode(reader, reader.size(), $undefined, _depth + 1, message.outcome);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies an Acknowledgement message.
             * @function verify
             * @memberof tillbridge.v1.Acknowledgement
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Acknowledgement.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    if (!$util.isString(message.messageId))
                        return "messageId: string expected";
                if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome")) {
                    let error = $root.tillbridge.v1.Outcome.verify(message.outcome, _depth + 1);
                    if (error)
                        return "outcome." + error;
                }
                return null;
            };

            /**
             * Creates an Acknowledgement message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Acknowledgement
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Acknowledgement} Acknowledgement
             */
            Acknowledgement.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Acknowledgement)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Acknowledgement: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Acknowledgement();
                if (object.messageId != null)
                    if (typeof object.messageId !== "string" || object.messageId.length)
                        message.messageId = $String(object.messageId);
                if (object.outcome != null) {
                    if (!$util.isObject(object.outcome))
                        throw $TypeError(".tillbridge.v1.Acknowledgement.outcome: object expected");
                    message.outcome = $root.tillbridge.v1.Outcome.fromObject(object.outcome, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from an Acknowledgement message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Acknowledgement
             * @static
             * @param {tillbridge.v1.Acknowledgement} message Acknowledgement
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Acknowledgement.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.messageId = "";
                    object.outcome = null;
                }
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    object.messageId = message.messageId;
                if (message.outcome != null && $Object.hasOwnProperty.call(message, "outcome"))
                    object.outcome = $root.tillbridge.v1.Outcome.toObject(message.outcome, options, _depth + 1);
                return object;
            };

            /**
             * Converts this Acknowledgement to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Acknowledgement
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Acknowledgement.prototype.toJSON = function() {
                return Acknowledgement.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Acknowledgement
             * @function getTypeUrl
             * @memberof tillbridge.v1.Acknowledgement
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Acknowledgement.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Acknowledgement";
            };

            return Acknowledgement;
        })();

        v1.Parked = (function() {

            /**
             * Properties of a Parked.
             * @typedef {Object} tillbridge.v1.Parked.$Properties
             * @property {string|null} [messageId] Parked messageId
             * @property {string|null} [reasonCode] Parked reasonCode
             * @property {string|null} [reason] Parked reason
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Parked.
             * @memberof tillbridge.v1
             * @interface IParked
             * @augments tillbridge.v1.Parked.$Properties
             * @deprecated Use tillbridge.v1.Parked.$Properties instead.
             */

            /**
             * Shape of a Parked.
             * @typedef {tillbridge.v1.Parked.$Properties} tillbridge.v1.Parked.$Shape
             */

            /**
             * Constructs a new Parked.
             * @memberof tillbridge.v1
             * @classdesc Represents a Parked.
             * @constructor
             * @param {tillbridge.v1.Parked.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Parked = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Parked messageId.
             * @member {string} messageId
             * @memberof tillbridge.v1.Parked
             * @instance
             */
            Parked.prototype.messageId = "";

            /**
             * Parked reasonCode.
             * @member {string} reasonCode
             * @memberof tillbridge.v1.Parked
             * @instance
             */
            Parked.prototype.reasonCode = "";

            /**
             * Parked reason.
             * @member {string} reason
             * @memberof tillbridge.v1.Parked
             * @instance
             */
            Parked.prototype.reason = "";

            /**
             * Encodes the specified Parked message. Does not implicitly {@link tillbridge.v1.Parked.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Parked
             * @static
             * @param {tillbridge.v1.Parked.$Properties} message Parked message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Parked.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId") && message.messageId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.messageId);
                if (message.reasonCode != null && $Object.hasOwnProperty.call(message, "reasonCode") && message.reasonCode !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.reasonCode);
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.reason);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Parked message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Parked
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Parked & tillbridge.v1.Parked.$Shape} Parked
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Parked.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Parked();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.messageId = value;
                            else
                                delete message.messageId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reasonCode = value;
                            else
                                delete message.reasonCode;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reason = value;
                            else
                                delete message.reason;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Parked message.
             * @function verify
             * @memberof tillbridge.v1.Parked
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Parked.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    if (!$util.isString(message.messageId))
                        return "messageId: string expected";
                if (message.reasonCode != null && $Object.hasOwnProperty.call(message, "reasonCode"))
                    if (!$util.isString(message.reasonCode))
                        return "reasonCode: string expected";
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    if (!$util.isString(message.reason))
                        return "reason: string expected";
                return null;
            };

            /**
             * Creates a Parked message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Parked
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Parked} Parked
             */
            Parked.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Parked)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Parked: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Parked();
                if (object.messageId != null)
                    if (typeof object.messageId !== "string" || object.messageId.length)
                        message.messageId = $String(object.messageId);
                if (object.reasonCode != null)
                    if (typeof object.reasonCode !== "string" || object.reasonCode.length)
                        message.reasonCode = $String(object.reasonCode);
                if (object.reason != null)
                    if (typeof object.reason !== "string" || object.reason.length)
                        message.reason = $String(object.reason);
                return message;
            };

            /**
             * Creates a plain object from a Parked message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Parked
             * @static
             * @param {tillbridge.v1.Parked} message Parked
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Parked.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.messageId = "";
                    object.reasonCode = "";
                    object.reason = "";
                }
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    object.messageId = message.messageId;
                if (message.reasonCode != null && $Object.hasOwnProperty.call(message, "reasonCode"))
                    object.reasonCode = message.reasonCode;
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    object.reason = message.reason;
                return object;
            };

            /**
             * Converts this Parked to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Parked
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Parked.prototype.toJSON = function() {
                return Parked.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Parked
             * @function getTypeUrl
             * @memberof tillbridge.v1.Parked
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Parked.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Parked";
            };

            return Parked;
        })();

        v1.Command = (function() {

            /**
             * Properties of a Command.
             * @typedef {Object} tillbridge.v1.Command.$Properties
             * @property {tillbridge.v1.Command.Action|null} [action] Command action
             * @property {string|null} [reference] Command reference
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a Command.
             * @memberof tillbridge.v1
             * @interface ICommand
             * @augments tillbridge.v1.Command.$Properties
             * @deprecated Use tillbridge.v1.Command.$Properties instead.
             */

            /**
             * Shape of a Command.
             * @typedef {tillbridge.v1.Command.$Properties} tillbridge.v1.Command.$Shape
             */

            /**
             * Constructs a new Command.
             * @memberof tillbridge.v1
             * @classdesc Represents a Command.
             * @constructor
             * @param {tillbridge.v1.Command.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const Command = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * Command action.
             * @member {tillbridge.v1.Command.Action} action
             * @memberof tillbridge.v1.Command
             * @instance
             */
            Command.prototype.action = 0;

            /**
             * Command reference.
             * @member {string} reference
             * @memberof tillbridge.v1.Command
             * @instance
             */
            Command.prototype.reference = "";

            /**
             * Encodes the specified Command message. Does not implicitly {@link tillbridge.v1.Command.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.Command
             * @static
             * @param {tillbridge.v1.Command.$Properties} message Command message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            Command.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.action != null && $Object.hasOwnProperty.call(message, "action") && message.action !== 0)
                    writer.uint32(/* id 1, wireType 0 =*/8).int32(message.action);
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference") && message.reference !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.reference);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a Command message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.Command
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.Command & tillbridge.v1.Command.$Shape} Command
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            Command.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.Command();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.action = value;
                            else
                                delete message.action;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reference = value;
                            else
                                delete message.reference;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a Command message.
             * @function verify
             * @memberof tillbridge.v1.Command
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            Command.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.action != null && $Object.hasOwnProperty.call(message, "action"))
                    if (typeof message.action !== "number" || (message.action | 0) !== message.action)
                        return "action: enum value expected";
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    if (!$util.isString(message.reference))
                        return "reference: string expected";
                return null;
            };

            /**
             * Creates a Command message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.Command
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.Command} Command
             */
            Command.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.Command)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.Command: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.Command();
                if (object.action !== 0 && (typeof object.action !== "string" || $root.tillbridge.v1.Command.Action[object.action] !== 0))
                    switch (object.action) {
                    case "ACTION_UNSPECIFIED":
                    case 0:
                        message.action = 0;
                        break;
                    case "PING":
                    case 1:
                        message.action = 1;
                        break;
                    case "FLUSH":
                    case 2:
                        message.action = 2;
                        break;
                    case "STATUS":
                    case 3:
                        message.action = 3;
                        break;
                    case "CANCEL_SALE":
                    case 4:
                        message.action = 4;
                        break;
                    default:
                        if (typeof object.action === "number" && (object.action | 0) === object.action)
                            message.action = object.action;
                    }
                if (object.reference != null)
                    if (typeof object.reference !== "string" || object.reference.length)
                        message.reference = $String(object.reference);
                return message;
            };

            /**
             * Creates a plain object from a Command message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.Command
             * @static
             * @param {tillbridge.v1.Command} message Command
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            Command.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.action = options.enums === $String ? "ACTION_UNSPECIFIED" : 0;
                    object.reference = "";
                }
                if (message.action != null && $Object.hasOwnProperty.call(message, "action"))
                    object.action = options.enums === $String ? $root.tillbridge.v1.Command.Action[message.action] === $undefined ? message.action : $root.tillbridge.v1.Command.Action[message.action] : message.action;
                if (message.reference != null && $Object.hasOwnProperty.call(message, "reference"))
                    object.reference = message.reference;
                return object;
            };

            /**
             * Converts this Command to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.Command
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            Command.prototype.toJSON = function() {
                return Command.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for Command
             * @function getTypeUrl
             * @memberof tillbridge.v1.Command
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            Command.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.Command";
            };

            /**
             * Action enum.
             * @name tillbridge.v1.Command.Action
             * @enum {number}
             * @property {number} ACTION_UNSPECIFIED=0 ACTION_UNSPECIFIED value
             * @property {number} PING=1 PING value
             * @property {number} FLUSH=2 FLUSH value
             * @property {number} STATUS=3 STATUS value
             * @property {number} CANCEL_SALE=4 CANCEL_SALE value
             */
            Command.Action = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "ACTION_UNSPECIFIED"] = 0;
                values[valuesById[1] = "PING"] = 1;
                values[valuesById[2] = "FLUSH"] = 2;
                values[valuesById[3] = "STATUS"] = 3;
                values[valuesById[4] = "CANCEL_SALE"] = 4;
                return values;
            })();

            return Command;
        })();

        v1.CommandResult = (function() {

            /**
             * Properties of a CommandResult.
             * @typedef {Object} tillbridge.v1.CommandResult.$Properties
             * @property {string|null} [commandId] CommandResult commandId
             * @property {tillbridge.v1.CommandResult.State|null} [state] CommandResult state
             * @property {string|null} [reasonCode] CommandResult reasonCode
             * @property {string|null} [reason] CommandResult reason
             * @property {tillbridge.v1.Heartbeat.$Properties|null} [status] CommandResult status
             * @property {string|null} [saleState] CommandResult saleState
             * @property {string|null} [saleOutcome] CommandResult saleOutcome
             * @property {tillbridge.v1.SaleReport.$Properties|null} [saleReport] CommandResult saleReport
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a CommandResult.
             * @memberof tillbridge.v1
             * @interface ICommandResult
             * @augments tillbridge.v1.CommandResult.$Properties
             * @deprecated Use tillbridge.v1.CommandResult.$Properties instead.
             */

            /**
             * Shape of a CommandResult.
             * @typedef {tillbridge.v1.CommandResult.$Properties} tillbridge.v1.CommandResult.$Shape
             */

            /**
             * Constructs a new CommandResult.
             * @memberof tillbridge.v1
             * @classdesc Represents a CommandResult.
             * @constructor
             * @param {tillbridge.v1.CommandResult.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const CommandResult = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * CommandResult commandId.
             * @member {string} commandId
             * @memberof tillbridge.v1.CommandResult
             * @instance
             */
            CommandResult.prototype.commandId = "";

            /**
             * CommandResult state.
             * @member {tillbridge.v1.CommandResult.State} state
             * @memberof tillbridge.v1.CommandResult
             * @instance
             */
            CommandResult.prototype.state = 0;

            /**
             * CommandResult reasonCode.
             * @member {string} reasonCode
             * @memberof tillbridge.v1.CommandResult
             * @instance
             */
            CommandResult.prototype.reasonCode = "";

            /**
             * CommandResult reason.
             * @member {string} reason
             * @memberof tillbridge.v1.CommandResult
             * @instance
             */
            CommandResult.prototype.reason = "";

            /**
             * CommandResult status.
             * @member {tillbridge.v1.Heartbeat.$Properties|null|undefined} status
             * @memberof tillbridge.v1.CommandResult
             * @instance
             */
            CommandResult.prototype.status = null;

            /**
             * CommandResult saleState.
             * @member {string} saleState
             * @memberof tillbridge.v1.CommandResult
             * @instance
             */
            CommandResult.prototype.saleState = "";

            /**
             * CommandResult saleOutcome.
             * @member {string} saleOutcome
             * @memberof tillbridge.v1.CommandResult
             * @instance
             */
            CommandResult.prototype.saleOutcome = "";

            /**
             * CommandResult saleReport.
             * @member {tillbridge.v1.SaleReport.$Properties|null|undefined} saleReport
             * @memberof tillbridge.v1.CommandResult
             * @instance
             */
            CommandResult.prototype.saleReport = null;

            /**
             * Encodes the specified CommandResult message. Does not implicitly {@link tillbridge.v1.CommandResult.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.CommandResult
             * @static
             * @param {tillbridge.v1.CommandResult.$Properties} message CommandResult message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            CommandResult.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.commandId != null && $Object.hasOwnProperty.call(message, "commandId") && message.commandId !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.commandId);
                if (message.state != null && $Object.hasOwnProperty.call(message, "state") && message.state !== 0)
                    writer.uint32(/* id 2, wireType 0 =*/16).int32(message.state);
                if (message.reasonCode != null && $Object.hasOwnProperty.call(message, "reasonCode") && message.reasonCode !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.reasonCode);
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason") && message.reason !== "")
                    writer.uint32(/* id 4, wireType 2 =*/34).string(message.reason);
                if (message.status != null && $Object.hasOwnProperty.call(message, "status"))
                    $root.tillbridge.v1.Heartbeat.encode(message.status, writer.uint32(/* id 5, wireType 2 =*/42).fork(), _depth + 1).ldelim();
                if (message.saleState != null && $Object.hasOwnProperty.call(message, "saleState") && message.saleState !== "")
                    writer.uint32(/* id 6, wireType 2 =*/50).string(message.saleState);
                if (message.saleOutcome != null && $Object.hasOwnProperty.call(message, "saleOutcome") && message.saleOutcome !== "")
                    writer.uint32(/* id 7, wireType 2 =*/58).string(message.saleOutcome);
                if (message.saleReport != null && $Object.hasOwnProperty.call(message, "saleReport"))
                    $root.tillbridge.v1.SaleReport.encode(message.saleReport, writer.uint32(/* id 8, wireType 2 =*/66).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a CommandResult message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.CommandResult
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.CommandResult & tillbridge.v1.CommandResult.$Shape} CommandResult
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            CommandResult.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.CommandResult();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.commandId = value;
                            else
                                delete message.commandId;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.int32())
                                message.state = value;
                            else
                                delete message.state;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reasonCode = value;
                            else
                                delete message.reasonCode;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.reason = value;
                            else
                                delete message.reason;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            message.status = $root.tillbridge.v1.Heartbeat.decode(reader, reader.size(), $undefined, _depth + 1, message.status);
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.saleState = value;
                            else
                                delete message.saleState;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.saleOutcome = value;
                            else
                                delete message.saleOutcome;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 2)
                                break;
                            message.saleReport = $root.tillbridge.v1.SaleReport.decode(reader, reader.size(), $undefined, _depth + 1, message.saleReport);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a CommandResult message.
             * @function verify
             * @memberof tillbridge.v1.CommandResult
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            CommandResult.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.commandId != null && $Object.hasOwnProperty.call(message, "commandId"))
                    if (!$util.isString(message.commandId))
                        return "commandId: string expected";
                if (message.state != null && $Object.hasOwnProperty.call(message, "state"))
                    if (typeof message.state !== "number" || (message.state | 0) !== message.state)
                        return "state: enum value expected";
                if (message.reasonCode != null && $Object.hasOwnProperty.call(message, "reasonCode"))
                    if (!$util.isString(message.reasonCode))
                        return "reasonCode: string expected";
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    if (!$util.isString(message.reason))
                        return "reason: string expected";
                if (message.status != null && $Object.hasOwnProperty.call(message, "status")) {
                    let error = $root.tillbridge.v1.Heartbeat.verify(message.status, _depth + 1);
                    if (error)
                        return "status." + error;
                }
                if (message.saleState != null && $Object.hasOwnProperty.call(message, "saleState"))
                    if (!$util.isString(message.saleState))
                        return "saleState: string expected";
                if (message.saleOutcome != null && $Object.hasOwnProperty.call(message, "saleOutcome"))
                    if (!$util.isString(message.saleOutcome))
                        return "saleOutcome: string expected";
                if (message.saleReport != null && $Object.hasOwnProperty.call(message, "saleReport")) {
                    let error = $root.tillbridge.v1.SaleReport.verify(message.saleReport, _depth + 1);
                    if (error)
                        return "saleReport." + error;
                }
                return null;
            };

            /**
             * Creates a CommandResult message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.CommandResult
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.CommandResult} CommandResult
             */
            CommandResult.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.CommandResult)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.CommandResult: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.CommandResult();
                if (object.commandId != null)
                    if (typeof object.commandId !== "string" || object.commandId.length)
                        message.commandId = $String(object.commandId);
                if (object.state !== 0 && (typeof object.state !== "string" || $root.tillbridge.v1.CommandResult.State[object.state] !== 0))
                    switch (object.state) {
                    case "STATE_UNSPECIFIED":
                    case 0:
                        message.state = 0;
                        break;
                    case "DONE":
                    case 1:
                        message.state = 1;
                        break;
                    case "REFUSED":
                    case 2:
                        message.state = 2;
                        break;
                    default:
                        if (typeof object.state === "number" && (object.state | 0) === object.state)
                            message.state = object.state;
                    }
                if (object.reasonCode != null)
                    if (typeof object.reasonCode !== "string" || object.reasonCode.length)
                        message.reasonCode = $String(object.reasonCode);
                if (object.reason != null)
                    if (typeof object.reason !== "string" || object.reason.length)
                        message.reason = $String(object.reason);
                if (object.status != null) {
                    if (!$util.isObject(object.status))
                        throw $TypeError(".tillbridge.v1.CommandResult.status: object expected");
                    message.status = $root.tillbridge.v1.Heartbeat.fromObject(object.status, _depth + 1);
                }
                if (object.saleState != null)
                    if (typeof object.saleState !== "string" || object.saleState.length)
                        message.saleState = $String(object.saleState);
                if (object.saleOutcome != null)
                    if (typeof object.saleOutcome !== "string" || object.saleOutcome.length)
                        message.saleOutcome = $String(object.saleOutcome);
                if (object.saleReport != null) {
                    if (!$util.isObject(object.saleReport))
                        throw $TypeError(".tillbridge.v1.CommandResult.saleReport: object expected");
                    message.saleReport = $root.tillbridge.v1.SaleReport.fromObject(object.saleReport, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from a CommandResult message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.CommandResult
             * @static
             * @param {tillbridge.v1.CommandResult} message CommandResult
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            CommandResult.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.commandId = "";
                    object.state = options.enums === $String ? "STATE_UNSPECIFIED" : 0;
                    object.reasonCode = "";
                    object.reason = "";
                    object.status = null;
                    object.saleState = "";
                    object.saleOutcome = "";
                    object.saleReport = null;
                }
                if (message.commandId != null && $Object.hasOwnProperty.call(message, "commandId"))
                    object.commandId = message.commandId;
                if (message.state != null && $Object.hasOwnProperty.call(message, "state"))
                    object.state = options.enums === $String ? $root.tillbridge.v1.CommandResult.State[message.state] === $undefined ? message.state : $root.tillbridge.v1.CommandResult.State[message.state] : message.state;
                if (message.reasonCode != null && $Object.hasOwnProperty.call(message, "reasonCode"))
                    object.reasonCode = message.reasonCode;
                if (message.reason != null && $Object.hasOwnProperty.call(message, "reason"))
                    object.reason = message.reason;
                if (message.status != null && $Object.hasOwnProperty.call(message, "status"))
                    object.status = $root.tillbridge.v1.Heartbeat.toObject(message.status, options, _depth + 1);
                if (message.saleState != null && $Object.hasOwnProperty.call(message, "saleState"))
                    object.saleState = message.saleState;
                if (message.saleOutcome != null && $Object.hasOwnProperty.call(message, "saleOutcome"))
                    object.saleOutcome = message.saleOutcome;
                if (message.saleReport != null && $Object.hasOwnProperty.call(message, "saleReport"))
                    object.saleReport = $root.tillbridge.v1.SaleReport.toObject(message.saleReport, options, _depth + 1);
                return object;
            };

            /**
             * Converts this CommandResult to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.CommandResult
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            CommandResult.prototype.toJSON = function() {
                return CommandResult.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for CommandResult
             * @function getTypeUrl
             * @memberof tillbridge.v1.CommandResult
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            CommandResult.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.CommandResult";
            };

            /**
             * State enum.
             * @name tillbridge.v1.CommandResult.State
             * @enum {number}
             * @property {number} STATE_UNSPECIFIED=0 STATE_UNSPECIFIED value
             * @property {number} DONE=1 DONE value
             * @property {number} REFUSED=2 REFUSED value
             */
            CommandResult.State = (function() {
                const valuesById = $Object.create(null), values = $Object.create(valuesById);
                values[valuesById[0] = "STATE_UNSPECIFIED"] = 0;
                values[valuesById[1] = "DONE"] = 1;
                values[valuesById[2] = "REFUSED"] = 2;
                return values;
            })();

            return CommandResult;
        })();

        v1.SaleReport = (function() {

            /**
             * Properties of a SaleReport.
             * @typedef {Object} tillbridge.v1.SaleReport.$Properties
             * @property {number|null} [timeMs] SaleReport timeMs
             * @property {Array.<tillbridge.v1.SaleReportRow.$Properties>|null} [rows] SaleReport rows
             * @property {Array.<tillbridge.v1.SaleReportFrame.$Properties>|null} [frames] SaleReport frames
             * @property {boolean|null} [lineIsRecorded] SaleReport lineIsRecorded
             * @property {boolean|null} [incomplete] SaleReport incomplete
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a SaleReport.
             * @memberof tillbridge.v1
             * @interface ISaleReport
             * @augments tillbridge.v1.SaleReport.$Properties
             * @deprecated Use tillbridge.v1.SaleReport.$Properties instead.
             */

            /**
             * Shape of a SaleReport.
             * @typedef {tillbridge.v1.SaleReport.$Properties} tillbridge.v1.SaleReport.$Shape
             */

            /**
             * Constructs a new SaleReport.
             * @memberof tillbridge.v1
             * @classdesc Represents a SaleReport.
             * @constructor
             * @param {tillbridge.v1.SaleReport.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const SaleReport = function (properties) {
                this.rows = [];
                this.frames = [];
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * SaleReport timeMs.
             * @member {number} timeMs
             * @memberof tillbridge.v1.SaleReport
             * @instance
             */
            SaleReport.prototype.timeMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * SaleReport rows.
             * @member {Array.<tillbridge.v1.SaleReportRow.$Properties>} rows
             * @memberof tillbridge.v1.SaleReport
             * @instance
             */
            SaleReport.prototype.rows = $util.emptyArray;

            /**
             * SaleReport frames.
             * @member {Array.<tillbridge.v1.SaleReportFrame.$Properties>} frames
             * @memberof tillbridge.v1.SaleReport
             * @instance
             */
            SaleReport.prototype.frames = $util.emptyArray;

            /**
             * SaleReport lineIsRecorded.
             * @member {boolean} lineIsRecorded
             * @memberof tillbridge.v1.SaleReport
             * @instance
             */
            SaleReport.prototype.lineIsRecorded = false;

            /**
             * SaleReport incomplete.
             * @member {boolean} incomplete
             * @memberof tillbridge.v1.SaleReport
             * @instance
             */
            SaleReport.prototype.incomplete = false;

            /**
             * Encodes the specified SaleReport message. Does not implicitly {@link tillbridge.v1.SaleReport.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.SaleReport
             * @static
             * @param {tillbridge.v1.SaleReport.$Properties} message SaleReport message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            SaleReport.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs") && (typeof message.timeMs === "object" ? message.timeMs.low || message.timeMs.high : message.timeMs !== 0))
                    writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.timeMs);
                if (message.rows != null && message.rows.length)
                    for (let i = 0; i < message.rows.length; ++i)
                        $root.tillbridge.v1.SaleReportRow.encode(message.rows[i], writer.uint32(/* id 2, wireType 2 =*/18).fork(), _depth + 1).ldelim();
                if (message.frames != null && message.frames.length)
                    for (let i = 0; i < message.frames.length; ++i)
                        $root.tillbridge.v1.SaleReportFrame.encode(message.frames[i], writer.uint32(/* id 3, wireType 2 =*/26).fork(), _depth + 1).ldelim();
                if (message.lineIsRecorded != null && $Object.hasOwnProperty.call(message, "lineIsRecorded") && message.lineIsRecorded !== false)
                    writer.uint32(/* id 4, wireType 0 =*/32).bool(message.lineIsRecorded);
                if (message.incomplete != null && $Object.hasOwnProperty.call(message, "incomplete") && message.incomplete !== false)
                    writer.uint32(/* id 5, wireType 0 =*/40).bool(message.incomplete);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a SaleReport message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.SaleReport
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.SaleReport & tillbridge.v1.SaleReport.$Shape} SaleReport
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            SaleReport.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.SaleReport();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.timeMs = value;
                            else
                                delete message.timeMs;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if (!(message.rows && message.rows.length))
                                message.rows = [];
                            message.rows.push($root.tillbridge.v1.SaleReportRow.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if (!(message.frames && message.frames.length))
                                message.frames = [];
                            message.frames.push($root.tillbridge.v1.SaleReportFrame.decode(reader, reader.size(), $undefined, _depth + 1));
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.lineIsRecorded = value;
                            else
                                delete message.lineIsRecorded;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.bool())
                                message.incomplete = value;
                            else
                                delete message.incomplete;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a SaleReport message.
             * @function verify
             * @memberof tillbridge.v1.SaleReport
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            SaleReport.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (!$util.isInteger(message.timeMs) && !(message.timeMs && $util.isInteger(message.timeMs.low) && $util.isInteger(message.timeMs.high)))
                        return "timeMs: integer|Long expected";
                if (message.rows != null && $Object.hasOwnProperty.call(message, "rows")) {
                    if (!$Array.isArray(message.rows))
                        return "rows: array expected";
                    for (let i = 0; i < message.rows.length; ++i) {
                        let error = $root.tillbridge.v1.SaleReportRow.verify(message.rows[i], _depth + 1);
                        if (error)
                            return "rows." + error;
                    }
                }
                if (message.frames != null && $Object.hasOwnProperty.call(message, "frames")) {
                    if (!$Array.isArray(message.frames))
                        return "frames: array expected";
                    for (let i = 0; i < message.frames.length; ++i) {
                        let error = $root.tillbridge.v1.SaleReportFrame.verify(message.frames[i], _depth + 1);
                        if (error)
                            return "frames." + error;
                    }
                }
                if (message.lineIsRecorded != null && $Object.hasOwnProperty.call(message, "lineIsRecorded"))
                    if (typeof message.lineIsRecorded !== "boolean")
                        return "lineIsRecorded: boolean expected";
                if (message.incomplete != null && $Object.hasOwnProperty.call(message, "incomplete"))
                    if (typeof message.incomplete !== "boolean")
                        return "incomplete: boolean expected";
                return null;
            };

            /**
             * Creates a SaleReport message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.SaleReport
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.SaleReport} SaleReport
             */
            SaleReport.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.SaleReport)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.SaleReport: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.SaleReport();
                if (object.timeMs != null)
                    if (typeof object.timeMs === "object" ? object.timeMs.low || object.timeMs.high : $Number(object.timeMs) !== 0)
                        if ($util.Long)
                            message.timeMs = $util.Long.fromValue(object.timeMs, true);
                        else if (typeof object.timeMs === "string")
                            message.timeMs = $parseInt(object.timeMs, 10);
                        else if (typeof object.timeMs === "number")
                            message.timeMs = object.timeMs;
                        else if (typeof object.timeMs === "object")
                            message.timeMs = new $util.LongBits(object.timeMs.low >>> 0, object.timeMs.high >>> 0).toNumber(true);
                if (object.rows) {
                    if (!$Array.isArray(object.rows))
                        throw $TypeError(".tillbridge.v1.SaleReport.rows: array expected");
                    message.rows = $Array(object.rows.length);
                    for (let i = 0; i < object.rows.length; ++i) {
                        if (!$util.isObject(object.rows[i]))
                            throw $TypeError(".tillbridge.v1.SaleReport.rows: object expected");
                        message.rows[i] = $root.tillbridge.v1.SaleReportRow.fromObject(object.rows[i], _depth + 1);
                    }
                }
                if (object.frames) {
                    if (!$Array.isArray(object.frames))
                        throw $TypeError(".tillbridge.v1.SaleReport.frames: array expected");
                    message.frames = $Array(object.frames.length);
                    for (let i = 0; i < object.frames.length; ++i) {
                        if (!$util.isObject(object.frames[i]))
                            throw $TypeError(".tillbridge.v1.SaleReport.frames: object expected");
                        message.frames[i] = $root.tillbridge.v1.SaleReportFrame.fromObject(object.frames[i], _depth + 1);
                    }
                }
                if (object.lineIsRecorded != null)
                    if (object.lineIsRecorded)
                        message.lineIsRecorded = $Boolean(object.lineIsRecorded);
                if (object.incomplete != null)
                    if (object.incomplete)
                        message.incomplete = $Boolean(object.incomplete);
                return message;
            };

            /**
             * Creates a plain object from a SaleReport message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.SaleReport
             * @static
             * @param {tillbridge.v1.SaleReport} message SaleReport
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            SaleReport.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.arrays || options.defaults) {
                    object.rows = [];
                    object.frames = [];
                }
                if (options.defaults) {
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.timeMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.timeMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.lineIsRecorded = false;
                    object.incomplete = false;
                }
                if (message.timeMs != null && $Object.hasOwnProperty.call(message, "timeMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.timeMs = typeof message.timeMs === "number" ? $BigInt(message.timeMs) : $util.Long.fromBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0, true).toBigInt();
                    else if (typeof message.timeMs === "number")
                        object.timeMs = options.longs === $String ? $String(message.timeMs) : message.timeMs;
                    else
                        object.timeMs = options.longs === $String ? $util.Long.prototype.toString.call(message.timeMs) : options.longs === $Number ? new $util.LongBits(message.timeMs.low >>> 0, message.timeMs.high >>> 0).toNumber(true) : message.timeMs;
                if (message.rows && message.rows.length) {
                    object.rows = $Array(message.rows.length);
                    for (let j = 0; j < message.rows.length; ++j)
                        object.rows[j] = $root.tillbridge.v1.SaleReportRow.toObject(message.rows[j], options, _depth + 1);
                }
                if (message.frames && message.frames.length) {
                    object.frames = $Array(message.frames.length);
                    for (let j = 0; j < message.frames.length; ++j)
                        object.frames[j] = $root.tillbridge.v1.SaleReportFrame.toObject(message.frames[j], options, _depth + 1);
                }
                if (message.lineIsRecorded != null && $Object.hasOwnProperty.call(message, "lineIsRecorded"))
                    object.lineIsRecorded = message.lineIsRecorded;
                if (message.incomplete != null && $Object.hasOwnProperty.call(message, "incomplete"))
                    object.incomplete = message.incomplete;
                return object;
            };

            /**
             * Converts this SaleReport to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.SaleReport
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            SaleReport.prototype.toJSON = function() {
                return SaleReport.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for SaleReport
             * @function getTypeUrl
             * @memberof tillbridge.v1.SaleReport
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            SaleReport.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.SaleReport";
            };

            return SaleReport;
        })();

        v1.SaleReportRow = (function() {

            /**
             * Properties of a SaleReportRow.
             * @typedef {Object} tillbridge.v1.SaleReportRow.$Properties
             * @property {number|null} [row] SaleReportRow row
             * @property {number|null} [atMs] SaleReportRow atMs
             * @property {string|null} [terminalId] SaleReportRow terminalId
             * @property {string|null} [step] SaleReportRow step
             * @property {string|null} [description] SaleReportRow description
             * @property {string|null} [till] SaleReportRow till
             * @property {string|null} [messageId] SaleReportRow messageId
             * @property {number|null} [sequence] SaleReportRow sequence
             * @property {tillbridge.v1.SaleReportEmv.$Properties|null} [emv] SaleReportRow emv
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a SaleReportRow.
             * @memberof tillbridge.v1
             * @interface ISaleReportRow
             * @augments tillbridge.v1.SaleReportRow.$Properties
             * @deprecated Use tillbridge.v1.SaleReportRow.$Properties instead.
             */

            /**
             * Shape of a SaleReportRow.
             * @typedef {tillbridge.v1.SaleReportRow.$Properties} tillbridge.v1.SaleReportRow.$Shape
             */

            /**
             * Constructs a new SaleReportRow.
             * @memberof tillbridge.v1
             * @classdesc Represents a SaleReportRow.
             * @constructor
             * @param {tillbridge.v1.SaleReportRow.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const SaleReportRow = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * SaleReportRow row.
             * @member {number} row
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             */
            SaleReportRow.prototype.row = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * SaleReportRow atMs.
             * @member {number} atMs
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             */
            SaleReportRow.prototype.atMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * SaleReportRow terminalId.
             * @member {string} terminalId
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             */
            SaleReportRow.prototype.terminalId = "";

            /**
             * SaleReportRow step.
             * @member {string} step
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             */
            SaleReportRow.prototype.step = "";

            /**
             * SaleReportRow description.
             * @member {string} description
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             */
            SaleReportRow.prototype.description = "";

            /**
             * SaleReportRow till.
             * @member {string} till
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             */
            SaleReportRow.prototype.till = "";

            /**
             * SaleReportRow messageId.
             * @member {string} messageId
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             */
            SaleReportRow.prototype.messageId = "";

            /**
             * SaleReportRow sequence.
             * @member {number} sequence
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             */
            SaleReportRow.prototype.sequence = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * SaleReportRow emv.
             * @member {tillbridge.v1.SaleReportEmv.$Properties|null|undefined} emv
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             */
            SaleReportRow.prototype.emv = null;

            /**
             * Encodes the specified SaleReportRow message. Does not implicitly {@link tillbridge.v1.SaleReportRow.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.SaleReportRow
             * @static
             * @param {tillbridge.v1.SaleReportRow.$Properties} message SaleReportRow message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            SaleReportRow.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.row != null && $Object.hasOwnProperty.call(message, "row") && (typeof message.row === "object" ? message.row.low || message.row.high : message.row !== 0))
                    writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.row);
                if (message.atMs != null && $Object.hasOwnProperty.call(message, "atMs") && (typeof message.atMs === "object" ? message.atMs.low || message.atMs.high : message.atMs !== 0))
                    writer.uint32(/* id 2, wireType 0 =*/16).uint64(message.atMs);
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId") && message.terminalId !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.terminalId);
                if (message.step != null && $Object.hasOwnProperty.call(message, "step") && message.step !== "")
                    writer.uint32(/* id 4, wireType 2 =*/34).string(message.step);
                if (message.description != null && $Object.hasOwnProperty.call(message, "description") && message.description !== "")
                    writer.uint32(/* id 5, wireType 2 =*/42).string(message.description);
                if (message.till != null && $Object.hasOwnProperty.call(message, "till") && message.till !== "")
                    writer.uint32(/* id 6, wireType 2 =*/50).string(message.till);
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId") && message.messageId !== "")
                    writer.uint32(/* id 7, wireType 2 =*/58).string(message.messageId);
                if (message.sequence != null && $Object.hasOwnProperty.call(message, "sequence") && (typeof message.sequence === "object" ? message.sequence.low || message.sequence.high : message.sequence !== 0))
                    writer.uint32(/* id 8, wireType 0 =*/64).uint64(message.sequence);
                if (message.emv != null && $Object.hasOwnProperty.call(message, "emv"))
                    $root.tillbridge.v1.SaleReportEmv.encode(message.emv, writer.uint32(/* id 9, wireType 2 =*/74).fork(), _depth + 1).ldelim();
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a SaleReportRow message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.SaleReportRow
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.SaleReportRow & tillbridge.v1.SaleReportRow.$Shape} SaleReportRow
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            SaleReportRow.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.SaleReportRow();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.row = value;
                            else
                                delete message.row;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.atMs = value;
                            else
                                delete message.atMs;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.terminalId = value;
                            else
                                delete message.terminalId;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.step = value;
                            else
                                delete message.step;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.description = value;
                            else
                                delete message.description;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.till = value;
                            else
                                delete message.till;
                            continue;
                        }
                    case 7: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.messageId = value;
                            else
                                delete message.messageId;
                            continue;
                        }
                    case 8: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.sequence = value;
                            else
                                delete message.sequence;
                            continue;
                        }
                    case 9: {
                            if (wireType !== 2)
                                break;
                            message.emv = $root.tillbridge.v1.SaleReportEmv.decode(reader, reader.size(), $undefined, _depth + 1, message.emv);
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a SaleReportRow message.
             * @function verify
             * @memberof tillbridge.v1.SaleReportRow
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            SaleReportRow.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.row != null && $Object.hasOwnProperty.call(message, "row"))
                    if (!$util.isInteger(message.row) && !(message.row && $util.isInteger(message.row.low) && $util.isInteger(message.row.high)))
                        return "row: integer|Long expected";
                if (message.atMs != null && $Object.hasOwnProperty.call(message, "atMs"))
                    if (!$util.isInteger(message.atMs) && !(message.atMs && $util.isInteger(message.atMs.low) && $util.isInteger(message.atMs.high)))
                        return "atMs: integer|Long expected";
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    if (!$util.isString(message.terminalId))
                        return "terminalId: string expected";
                if (message.step != null && $Object.hasOwnProperty.call(message, "step"))
                    if (!$util.isString(message.step))
                        return "step: string expected";
                if (message.description != null && $Object.hasOwnProperty.call(message, "description"))
                    if (!$util.isString(message.description))
                        return "description: string expected";
                if (message.till != null && $Object.hasOwnProperty.call(message, "till"))
                    if (!$util.isString(message.till))
                        return "till: string expected";
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    if (!$util.isString(message.messageId))
                        return "messageId: string expected";
                if (message.sequence != null && $Object.hasOwnProperty.call(message, "sequence"))
                    if (!$util.isInteger(message.sequence) && !(message.sequence && $util.isInteger(message.sequence.low) && $util.isInteger(message.sequence.high)))
                        return "sequence: integer|Long expected";
                if (message.emv != null && $Object.hasOwnProperty.call(message, "emv")) {
                    let error = $root.tillbridge.v1.SaleReportEmv.verify(message.emv, _depth + 1);
                    if (error)
                        return "emv." + error;
                }
                return null;
            };

            /**
             * Creates a SaleReportRow message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.SaleReportRow
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.SaleReportRow} SaleReportRow
             */
            SaleReportRow.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.SaleReportRow)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.SaleReportRow: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.SaleReportRow();
                if (object.row != null)
                    if (typeof object.row === "object" ? object.row.low || object.row.high : $Number(object.row) !== 0)
                        if ($util.Long)
                            message.row = $util.Long.fromValue(object.row, true);
                        else if (typeof object.row === "string")
                            message.row = $parseInt(object.row, 10);
                        else if (typeof object.row === "number")
                            message.row = object.row;
                        else if (typeof object.row === "object")
                            message.row = new $util.LongBits(object.row.low >>> 0, object.row.high >>> 0).toNumber(true);
                if (object.atMs != null)
                    if (typeof object.atMs === "object" ? object.atMs.low || object.atMs.high : $Number(object.atMs) !== 0)
                        if ($util.Long)
                            message.atMs = $util.Long.fromValue(object.atMs, true);
                        else if (typeof object.atMs === "string")
                            message.atMs = $parseInt(object.atMs, 10);
                        else if (typeof object.atMs === "number")
                            message.atMs = object.atMs;
                        else if (typeof object.atMs === "object")
                            message.atMs = new $util.LongBits(object.atMs.low >>> 0, object.atMs.high >>> 0).toNumber(true);
                if (object.terminalId != null)
                    if (typeof object.terminalId !== "string" || object.terminalId.length)
                        message.terminalId = $String(object.terminalId);
                if (object.step != null)
                    if (typeof object.step !== "string" || object.step.length)
                        message.step = $String(object.step);
                if (object.description != null)
                    if (typeof object.description !== "string" || object.description.length)
                        message.description = $String(object.description);
                if (object.till != null)
                    if (typeof object.till !== "string" || object.till.length)
                        message.till = $String(object.till);
                if (object.messageId != null)
                    if (typeof object.messageId !== "string" || object.messageId.length)
                        message.messageId = $String(object.messageId);
                if (object.sequence != null)
                    if (typeof object.sequence === "object" ? object.sequence.low || object.sequence.high : $Number(object.sequence) !== 0)
                        if ($util.Long)
                            message.sequence = $util.Long.fromValue(object.sequence, true);
                        else if (typeof object.sequence === "string")
                            message.sequence = $parseInt(object.sequence, 10);
                        else if (typeof object.sequence === "number")
                            message.sequence = object.sequence;
                        else if (typeof object.sequence === "object")
                            message.sequence = new $util.LongBits(object.sequence.low >>> 0, object.sequence.high >>> 0).toNumber(true);
                if (object.emv != null) {
                    if (!$util.isObject(object.emv))
                        throw $TypeError(".tillbridge.v1.SaleReportRow.emv: object expected");
                    message.emv = $root.tillbridge.v1.SaleReportEmv.fromObject(object.emv, _depth + 1);
                }
                return message;
            };

            /**
             * Creates a plain object from a SaleReportRow message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.SaleReportRow
             * @static
             * @param {tillbridge.v1.SaleReportRow} message SaleReportRow
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            SaleReportRow.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.row = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.row = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.atMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.atMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.terminalId = "";
                    object.step = "";
                    object.description = "";
                    object.till = "";
                    object.messageId = "";
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.sequence = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.sequence = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.emv = null;
                }
                if (message.row != null && $Object.hasOwnProperty.call(message, "row"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.row = typeof message.row === "number" ? $BigInt(message.row) : $util.Long.fromBits(message.row.low >>> 0, message.row.high >>> 0, true).toBigInt();
                    else if (typeof message.row === "number")
                        object.row = options.longs === $String ? $String(message.row) : message.row;
                    else
                        object.row = options.longs === $String ? $util.Long.prototype.toString.call(message.row) : options.longs === $Number ? new $util.LongBits(message.row.low >>> 0, message.row.high >>> 0).toNumber(true) : message.row;
                if (message.atMs != null && $Object.hasOwnProperty.call(message, "atMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.atMs = typeof message.atMs === "number" ? $BigInt(message.atMs) : $util.Long.fromBits(message.atMs.low >>> 0, message.atMs.high >>> 0, true).toBigInt();
                    else if (typeof message.atMs === "number")
                        object.atMs = options.longs === $String ? $String(message.atMs) : message.atMs;
                    else
                        object.atMs = options.longs === $String ? $util.Long.prototype.toString.call(message.atMs) : options.longs === $Number ? new $util.LongBits(message.atMs.low >>> 0, message.atMs.high >>> 0).toNumber(true) : message.atMs;
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    object.terminalId = message.terminalId;
                if (message.step != null && $Object.hasOwnProperty.call(message, "step"))
                    object.step = message.step;
                if (message.description != null && $Object.hasOwnProperty.call(message, "description"))
                    object.description = message.description;
                if (message.till != null && $Object.hasOwnProperty.call(message, "till"))
                    object.till = message.till;
                if (message.messageId != null && $Object.hasOwnProperty.call(message, "messageId"))
                    object.messageId = message.messageId;
                if (message.sequence != null && $Object.hasOwnProperty.call(message, "sequence"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.sequence = typeof message.sequence === "number" ? $BigInt(message.sequence) : $util.Long.fromBits(message.sequence.low >>> 0, message.sequence.high >>> 0, true).toBigInt();
                    else if (typeof message.sequence === "number")
                        object.sequence = options.longs === $String ? $String(message.sequence) : message.sequence;
                    else
                        object.sequence = options.longs === $String ? $util.Long.prototype.toString.call(message.sequence) : options.longs === $Number ? new $util.LongBits(message.sequence.low >>> 0, message.sequence.high >>> 0).toNumber(true) : message.sequence;
                if (message.emv != null && $Object.hasOwnProperty.call(message, "emv"))
                    object.emv = $root.tillbridge.v1.SaleReportEmv.toObject(message.emv, options, _depth + 1);
                return object;
            };

            /**
             * Converts this SaleReportRow to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.SaleReportRow
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            SaleReportRow.prototype.toJSON = function() {
                return SaleReportRow.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for SaleReportRow
             * @function getTypeUrl
             * @memberof tillbridge.v1.SaleReportRow
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            SaleReportRow.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.SaleReportRow";
            };

            return SaleReportRow;
        })();

        v1.SaleReportEmv = (function() {

            /**
             * Properties of a SaleReportEmv.
             * @typedef {Object} tillbridge.v1.SaleReportEmv.$Properties
             * @property {string|null} [aid] SaleReportEmv aid
             * @property {string|null} [tvr] SaleReportEmv tvr
             * @property {string|null} [tsi] SaleReportEmv tsi
             * @property {string|null} [acType] SaleReportEmv acType
             * @property {string|null} [cvm] SaleReportEmv cvm
             * @property {string|null} [arc] SaleReportEmv arc
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a SaleReportEmv.
             * @memberof tillbridge.v1
             * @interface ISaleReportEmv
             * @augments tillbridge.v1.SaleReportEmv.$Properties
             * @deprecated Use tillbridge.v1.SaleReportEmv.$Properties instead.
             */

            /**
             * Shape of a SaleReportEmv.
             * @typedef {tillbridge.v1.SaleReportEmv.$Properties} tillbridge.v1.SaleReportEmv.$Shape
             */

            /**
             * Constructs a new SaleReportEmv.
             * @memberof tillbridge.v1
             * @classdesc Represents a SaleReportEmv.
             * @constructor
             * @param {tillbridge.v1.SaleReportEmv.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const SaleReportEmv = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * SaleReportEmv aid.
             * @member {string} aid
             * @memberof tillbridge.v1.SaleReportEmv
             * @instance
             */
            SaleReportEmv.prototype.aid = "";

            /**
             * SaleReportEmv tvr.
             * @member {string} tvr
             * @memberof tillbridge.v1.SaleReportEmv
             * @instance
             */
            SaleReportEmv.prototype.tvr = "";

            /**
             * SaleReportEmv tsi.
             * @member {string} tsi
             * @memberof tillbridge.v1.SaleReportEmv
             * @instance
             */
            SaleReportEmv.prototype.tsi = "";

            /**
             * SaleReportEmv acType.
             * @member {string} acType
             * @memberof tillbridge.v1.SaleReportEmv
             * @instance
             */
            SaleReportEmv.prototype.acType = "";

            /**
             * SaleReportEmv cvm.
             * @member {string} cvm
             * @memberof tillbridge.v1.SaleReportEmv
             * @instance
             */
            SaleReportEmv.prototype.cvm = "";

            /**
             * SaleReportEmv arc.
             * @member {string} arc
             * @memberof tillbridge.v1.SaleReportEmv
             * @instance
             */
            SaleReportEmv.prototype.arc = "";

            /**
             * Encodes the specified SaleReportEmv message. Does not implicitly {@link tillbridge.v1.SaleReportEmv.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.SaleReportEmv
             * @static
             * @param {tillbridge.v1.SaleReportEmv.$Properties} message SaleReportEmv message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            SaleReportEmv.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.aid != null && $Object.hasOwnProperty.call(message, "aid") && message.aid !== "")
                    writer.uint32(/* id 1, wireType 2 =*/10).string(message.aid);
                if (message.tvr != null && $Object.hasOwnProperty.call(message, "tvr") && message.tvr !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.tvr);
                if (message.tsi != null && $Object.hasOwnProperty.call(message, "tsi") && message.tsi !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.tsi);
                if (message.acType != null && $Object.hasOwnProperty.call(message, "acType") && message.acType !== "")
                    writer.uint32(/* id 4, wireType 2 =*/34).string(message.acType);
                if (message.cvm != null && $Object.hasOwnProperty.call(message, "cvm") && message.cvm !== "")
                    writer.uint32(/* id 5, wireType 2 =*/42).string(message.cvm);
                if (message.arc != null && $Object.hasOwnProperty.call(message, "arc") && message.arc !== "")
                    writer.uint32(/* id 6, wireType 2 =*/50).string(message.arc);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a SaleReportEmv message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.SaleReportEmv
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.SaleReportEmv & tillbridge.v1.SaleReportEmv.$Shape} SaleReportEmv
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            SaleReportEmv.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.SaleReportEmv();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.aid = value;
                            else
                                delete message.aid;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.tvr = value;
                            else
                                delete message.tvr;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.tsi = value;
                            else
                                delete message.tsi;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.acType = value;
                            else
                                delete message.acType;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.cvm = value;
                            else
                                delete message.cvm;
                            continue;
                        }
                    case 6: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.arc = value;
                            else
                                delete message.arc;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a SaleReportEmv message.
             * @function verify
             * @memberof tillbridge.v1.SaleReportEmv
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            SaleReportEmv.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.aid != null && $Object.hasOwnProperty.call(message, "aid"))
                    if (!$util.isString(message.aid))
                        return "aid: string expected";
                if (message.tvr != null && $Object.hasOwnProperty.call(message, "tvr"))
                    if (!$util.isString(message.tvr))
                        return "tvr: string expected";
                if (message.tsi != null && $Object.hasOwnProperty.call(message, "tsi"))
                    if (!$util.isString(message.tsi))
                        return "tsi: string expected";
                if (message.acType != null && $Object.hasOwnProperty.call(message, "acType"))
                    if (!$util.isString(message.acType))
                        return "acType: string expected";
                if (message.cvm != null && $Object.hasOwnProperty.call(message, "cvm"))
                    if (!$util.isString(message.cvm))
                        return "cvm: string expected";
                if (message.arc != null && $Object.hasOwnProperty.call(message, "arc"))
                    if (!$util.isString(message.arc))
                        return "arc: string expected";
                return null;
            };

            /**
             * Creates a SaleReportEmv message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.SaleReportEmv
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.SaleReportEmv} SaleReportEmv
             */
            SaleReportEmv.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.SaleReportEmv)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.SaleReportEmv: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.SaleReportEmv();
                if (object.aid != null)
                    if (typeof object.aid !== "string" || object.aid.length)
                        message.aid = $String(object.aid);
                if (object.tvr != null)
                    if (typeof object.tvr !== "string" || object.tvr.length)
                        message.tvr = $String(object.tvr);
                if (object.tsi != null)
                    if (typeof object.tsi !== "string" || object.tsi.length)
                        message.tsi = $String(object.tsi);
                if (object.acType != null)
                    if (typeof object.acType !== "string" || object.acType.length)
                        message.acType = $String(object.acType);
                if (object.cvm != null)
                    if (typeof object.cvm !== "string" || object.cvm.length)
                        message.cvm = $String(object.cvm);
                if (object.arc != null)
                    if (typeof object.arc !== "string" || object.arc.length)
                        message.arc = $String(object.arc);
                return message;
            };

            /**
             * Creates a plain object from a SaleReportEmv message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.SaleReportEmv
             * @static
             * @param {tillbridge.v1.SaleReportEmv} message SaleReportEmv
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            SaleReportEmv.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    object.aid = "";
                    object.tvr = "";
                    object.tsi = "";
                    object.acType = "";
                    object.cvm = "";
                    object.arc = "";
                }
                if (message.aid != null && $Object.hasOwnProperty.call(message, "aid"))
                    object.aid = message.aid;
                if (message.tvr != null && $Object.hasOwnProperty.call(message, "tvr"))
                    object.tvr = message.tvr;
                if (message.tsi != null && $Object.hasOwnProperty.call(message, "tsi"))
                    object.tsi = message.tsi;
                if (message.acType != null && $Object.hasOwnProperty.call(message, "acType"))
                    object.acType = message.acType;
                if (message.cvm != null && $Object.hasOwnProperty.call(message, "cvm"))
                    object.cvm = message.cvm;
                if (message.arc != null && $Object.hasOwnProperty.call(message, "arc"))
                    object.arc = message.arc;
                return object;
            };

            /**
             * Converts this SaleReportEmv to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.SaleReportEmv
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            SaleReportEmv.prototype.toJSON = function() {
                return SaleReportEmv.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for SaleReportEmv
             * @function getTypeUrl
             * @memberof tillbridge.v1.SaleReportEmv
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            SaleReportEmv.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.SaleReportEmv";
            };

            return SaleReportEmv;
        })();

        v1.SaleReportFrame = (function() {

            /**
             * Properties of a SaleReportFrame.
             * @typedef {Object} tillbridge.v1.SaleReportFrame.$Properties
             * @property {number|null} [atMs] SaleReportFrame atMs
             * @property {string|null} [terminalId] SaleReportFrame terminalId
             * @property {string|null} [from] SaleReportFrame from
             * @property {number|null} [length] SaleReportFrame length
             * @property {Uint8Array|null} [head] SaleReportFrame head
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */

            /**
             * Properties of a SaleReportFrame.
             * @memberof tillbridge.v1
             * @interface ISaleReportFrame
             * @augments tillbridge.v1.SaleReportFrame.$Properties
             * @deprecated Use tillbridge.v1.SaleReportFrame.$Properties instead.
             */

            /**
             * Shape of a SaleReportFrame.
             * @typedef {tillbridge.v1.SaleReportFrame.$Properties} tillbridge.v1.SaleReportFrame.$Shape
             */

            /**
             * Constructs a new SaleReportFrame.
             * @memberof tillbridge.v1
             * @classdesc Represents a SaleReportFrame.
             * @constructor
             * @param {tillbridge.v1.SaleReportFrame.$Properties=} [properties] Properties to set
             * @property {Array.<Uint8Array>} [$unknowns] Unknown fields preserved while decoding when enabled
             */
            const SaleReportFrame = function (properties) {
                if (properties)
                    for (let keys = $Object.keys(properties), i = 0; i < keys.length; ++i)
                        if (properties[keys[i]] != null && keys[i] !== "__proto__")
                            this[keys[i]] = properties[keys[i]];
            };

            /**
             * SaleReportFrame atMs.
             * @member {number} atMs
             * @memberof tillbridge.v1.SaleReportFrame
             * @instance
             */
            SaleReportFrame.prototype.atMs = $util.Long ? $util.Long.fromBits(0,0,true) : 0;

            /**
             * SaleReportFrame terminalId.
             * @member {string} terminalId
             * @memberof tillbridge.v1.SaleReportFrame
             * @instance
             */
            SaleReportFrame.prototype.terminalId = "";

            /**
             * SaleReportFrame from.
             * @member {string} from
             * @memberof tillbridge.v1.SaleReportFrame
             * @instance
             */
            SaleReportFrame.prototype.from = "";

            /**
             * SaleReportFrame length.
             * @member {number} length
             * @memberof tillbridge.v1.SaleReportFrame
             * @instance
             */
            SaleReportFrame.prototype.length = 0;

            /**
             * SaleReportFrame head.
             * @member {Uint8Array} head
             * @memberof tillbridge.v1.SaleReportFrame
             * @instance
             */
            SaleReportFrame.prototype.head = $util.newBuffer([]);

            /**
             * Encodes the specified SaleReportFrame message. Does not implicitly {@link tillbridge.v1.SaleReportFrame.verify|verify} messages.
             * @function encode
             * @memberof tillbridge.v1.SaleReportFrame
             * @static
             * @param {tillbridge.v1.SaleReportFrame.$Properties} message SaleReportFrame message or plain object to encode
             * @param {$protobuf.Writer} [writer] Writer to encode to
             * @returns {$protobuf.Writer} Writer
             */
            SaleReportFrame.encode = function (message, writer, _depth) {
                if (!writer)
                    writer = $Writer.create();
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                if (message.atMs != null && $Object.hasOwnProperty.call(message, "atMs") && (typeof message.atMs === "object" ? message.atMs.low || message.atMs.high : message.atMs !== 0))
                    writer.uint32(/* id 1, wireType 0 =*/8).uint64(message.atMs);
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId") && message.terminalId !== "")
                    writer.uint32(/* id 2, wireType 2 =*/18).string(message.terminalId);
                if (message.from != null && $Object.hasOwnProperty.call(message, "from") && message.from !== "")
                    writer.uint32(/* id 3, wireType 2 =*/26).string(message.from);
                if (message.length != null && $Object.hasOwnProperty.call(message, "length") && message.length !== 0)
                    writer.uint32(/* id 4, wireType 0 =*/32).uint32(message.length);
                if (message.head != null && $Object.hasOwnProperty.call(message, "head") && message.head.length)
                    writer.uint32(/* id 5, wireType 2 =*/42).bytes(message.head);
                if (message.$unknowns != null && $Object.hasOwnProperty.call(message, "$unknowns"))
                    for (let i = 0; i < message.$unknowns.length; ++i)
                        writer.raw(message.$unknowns[i]);
                return writer;
            };

            /**
             * Decodes a SaleReportFrame message from the specified reader or buffer.
             * @function decode
             * @memberof tillbridge.v1.SaleReportFrame
             * @static
             * @param {$protobuf.Reader|Uint8Array} reader Reader or buffer to decode from
             * @param {number} [length] Message length if known beforehand
             * @returns {tillbridge.v1.SaleReportFrame & tillbridge.v1.SaleReportFrame.$Shape} SaleReportFrame
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            SaleReportFrame.decode = function (reader, length, _end, _depth, _target) {
                if (!(reader instanceof $Reader))
                    reader = $Reader.create(reader);
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $Reader.recursionLimit)
                    throw $Error("max depth exceeded");
                let end, message, value;
                if (length === $undefined)
                    end = reader.len;
                else {
                    end = reader.pos + length;
                    if (end > reader.len)
                        throw $RangeError("index out of range");
                    length = reader.len;
                    reader.len = end;
                }
                message = _target || new $root.tillbridge.v1.SaleReportFrame();
                while (reader.pos < end) {
                    let start = reader.pos;
                    let tag = reader.tag();
                    if (tag === _end) {
                        _end = $undefined;
                        break;
                    }
                    let wireType = tag & 7;
                    switch (tag >>>= 3) {
                    case 1: {
                            if (wireType !== 0)
                                break;
                            if (typeof (value = reader.uint64()) === "object" ? value.low || value.high : value !== 0)
                                message.atMs = value;
                            else
                                delete message.atMs;
                            continue;
                        }
                    case 2: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.terminalId = value;
                            else
                                delete message.terminalId;
                            continue;
                        }
                    case 3: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.stringVerify()).length)
                                message.from = value;
                            else
                                delete message.from;
                            continue;
                        }
                    case 4: {
                            if (wireType !== 0)
                                break;
                            if (value = reader.uint32())
                                message.length = value;
                            else
                                delete message.length;
                            continue;
                        }
                    case 5: {
                            if (wireType !== 2)
                                break;
                            if ((value = reader.bytes()).length)
                                message.head = value;
                            else
                                delete message.head;
                            continue;
                        }
                    }
                    reader.skipType(wireType, _depth, tag);
                    if (!reader.discardUnknown) {
                        $util.makeProp(message, "$unknowns", false);
                        (message.$unknowns || (message.$unknowns = [])).push(reader.raw(start, reader.pos));
                    }
                }
                if (length !== $undefined) {
                    if (reader.pos !== end)
                        throw $RangeError("index out of range");
                    reader.len = length;
                }
                if (_end !== $undefined)
                    throw $Error("missing end group");
                return message;
            };

            /**
             * Verifies a SaleReportFrame message.
             * @function verify
             * @memberof tillbridge.v1.SaleReportFrame
             * @static
             * @param {Object.<string,*>} message Plain object to verify
             * @returns {string|null} `null` if valid, otherwise the reason why it is not
             */
            SaleReportFrame.verify = function (message, _depth) {
                if (typeof message !== "object" || message === null)
                    return "object expected";
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    return "max depth exceeded";
                if (message.atMs != null && $Object.hasOwnProperty.call(message, "atMs"))
                    if (!$util.isInteger(message.atMs) && !(message.atMs && $util.isInteger(message.atMs.low) && $util.isInteger(message.atMs.high)))
                        return "atMs: integer|Long expected";
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    if (!$util.isString(message.terminalId))
                        return "terminalId: string expected";
                if (message.from != null && $Object.hasOwnProperty.call(message, "from"))
                    if (!$util.isString(message.from))
                        return "from: string expected";
                if (message.length != null && $Object.hasOwnProperty.call(message, "length"))
                    if (!$util.isInteger(message.length))
                        return "length: integer expected";
                if (message.head != null && $Object.hasOwnProperty.call(message, "head"))
                    if (!(message.head && typeof message.head.length === "number" || $util.isString(message.head)))
                        return "head: buffer expected";
                return null;
            };

            /**
             * Creates a SaleReportFrame message from a plain object. Also converts values to their respective internal types.
             * @function fromObject
             * @memberof tillbridge.v1.SaleReportFrame
             * @static
             * @param {Object.<string,*>} object Plain object
             * @returns {tillbridge.v1.SaleReportFrame} SaleReportFrame
             */
            SaleReportFrame.fromObject = function (object, _depth) {
                if (object instanceof $root.tillbridge.v1.SaleReportFrame)
                    return object;
                if (!$util.isObject(object))
                    throw $TypeError(".tillbridge.v1.SaleReportFrame: object expected");
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let message = new $root.tillbridge.v1.SaleReportFrame();
                if (object.atMs != null)
                    if (typeof object.atMs === "object" ? object.atMs.low || object.atMs.high : $Number(object.atMs) !== 0)
                        if ($util.Long)
                            message.atMs = $util.Long.fromValue(object.atMs, true);
                        else if (typeof object.atMs === "string")
                            message.atMs = $parseInt(object.atMs, 10);
                        else if (typeof object.atMs === "number")
                            message.atMs = object.atMs;
                        else if (typeof object.atMs === "object")
                            message.atMs = new $util.LongBits(object.atMs.low >>> 0, object.atMs.high >>> 0).toNumber(true);
                if (object.terminalId != null)
                    if (typeof object.terminalId !== "string" || object.terminalId.length)
                        message.terminalId = $String(object.terminalId);
                if (object.from != null)
                    if (typeof object.from !== "string" || object.from.length)
                        message.from = $String(object.from);
                if (object.length != null)
                    if ($Number(object.length) !== 0)
                        message.length = object.length >>> 0;
                if (object.head != null)
                    if (object.head.length)
                        if (typeof object.head === "string")
                            $util.base64.decode(object.head, message.head = $util.newBuffer($util.base64.length(object.head)), 0);
                        else if (object.head.length >= 0)
                            message.head = object.head;
                return message;
            };

            /**
             * Creates a plain object from a SaleReportFrame message. Also converts values to other types if specified.
             * @function toObject
             * @memberof tillbridge.v1.SaleReportFrame
             * @static
             * @param {tillbridge.v1.SaleReportFrame} message SaleReportFrame
             * @param {$protobuf.IConversionOptions} [options] Conversion options
             * @returns {Object.<string,*>} Plain object
             */
            SaleReportFrame.toObject = function (message, options, _depth) {
                if (!options)
                    options = {};
                if (_depth === $undefined)
                    _depth = 0;
                if (_depth > $util.recursionLimit)
                    throw $Error("max depth exceeded");
                let object = {};
                if (options.defaults) {
                    if ($util.Long) {
                        let long = new $util.Long(0, 0, true);
                        object.atMs = options.longs === $String ? long.toString() : options.longs === $Number ? long.toNumber() : typeof $BigInt !== "undefined" && options.longs === $BigInt ? long.toBigInt() : long;
                    } else
                        object.atMs = options.longs === $String ? "0" : typeof $BigInt !== "undefined" && options.longs === $BigInt ? $BigInt("0") : 0;
                    object.terminalId = "";
                    object.from = "";
                    object.length = 0;
                    if (options.bytes === $String)
                        object.head = "";
                    else {
                        object.head = [];
                        if (options.bytes !== $Array)
                            object.head = $util.newBuffer(object.head);
                    }
                }
                if (message.atMs != null && $Object.hasOwnProperty.call(message, "atMs"))
                    if (typeof $BigInt !== "undefined" && options.longs === $BigInt)
                        object.atMs = typeof message.atMs === "number" ? $BigInt(message.atMs) : $util.Long.fromBits(message.atMs.low >>> 0, message.atMs.high >>> 0, true).toBigInt();
                    else if (typeof message.atMs === "number")
                        object.atMs = options.longs === $String ? $String(message.atMs) : message.atMs;
                    else
                        object.atMs = options.longs === $String ? $util.Long.prototype.toString.call(message.atMs) : options.longs === $Number ? new $util.LongBits(message.atMs.low >>> 0, message.atMs.high >>> 0).toNumber(true) : message.atMs;
                if (message.terminalId != null && $Object.hasOwnProperty.call(message, "terminalId"))
                    object.terminalId = message.terminalId;
                if (message.from != null && $Object.hasOwnProperty.call(message, "from"))
                    object.from = message.from;
                if (message.length != null && $Object.hasOwnProperty.call(message, "length"))
                    object.length = message.length;
                if (message.head != null && $Object.hasOwnProperty.call(message, "head"))
                    object.head = options.bytes === $String ? $util.base64.encode(message.head, 0, message.head.length) : options.bytes === $Array ? $Array.prototype.slice.call(message.head) : message.head;
                return object;
            };

            /**
             * Converts this SaleReportFrame to JSON.
             * @function toJSON
             * @memberof tillbridge.v1.SaleReportFrame
             * @instance
             * @returns {Object.<string,*>} JSON object
             */
            SaleReportFrame.prototype.toJSON = function() {
                return SaleReportFrame.toObject(this, $protobuf.util.toJSONOptions);
            };

            /**
             * Gets the type url for SaleReportFrame
             * @function getTypeUrl
             * @memberof tillbridge.v1.SaleReportFrame
             * @static
             * @param {string} [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns {string} The type url
             */
            SaleReportFrame.getTypeUrl = function(prefix) {
                if (prefix === $undefined)
                    prefix = "type.googleapis.com";
                return prefix + "/tillbridge.v1.SaleReportFrame";
            };

            return SaleReportFrame;
        })();

        return v1;
    })();

    return tillbridge;
})();

export {
  $root as default
};
