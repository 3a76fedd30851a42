import * as $protobuf from "protobufjs";
import Long = require("long");

/** Namespace tillbridge. */
export namespace tillbridge {

    /** Namespace v1. */
    namespace v1 {

        /**
         * Properties of an Envelope.
         * @deprecated Use tillbridge.v1.Envelope.$Properties instead.
         */
        interface IEnvelope extends tillbridge.v1.Envelope.$Properties {
        }

        /** Represents an Envelope. */
        class Envelope {

            /**
             * Constructs a new Envelope.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Envelope.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Envelope id. */
            id: string;

            /** Envelope terminalId. */
            terminalId: string;

            /** Envelope sequence. */
            sequence: number;

            /** Envelope challenge. */
            challenge?: (tillbridge.v1.Challenge.$Properties|null);

            /** Envelope hello. */
            hello?: (tillbridge.v1.Hello.$Properties|null);

            /** Envelope welcome. */
            welcome?: (tillbridge.v1.Welcome.$Properties|null);

            /** Envelope goodbye. */
            goodbye?: (tillbridge.v1.Goodbye.$Properties|null);

            /** Envelope heartbeat. */
            heartbeat?: (tillbridge.v1.Heartbeat.$Properties|null);

            /** Envelope heartbeatAnswer. */
            heartbeatAnswer?: (tillbridge.v1.HeartbeatAnswer.$Properties|null);

            /** Envelope enrolmentRequest. */
            enrolmentRequest?: (tillbridge.v1.EnrolmentRequest.$Properties|null);

            /** Envelope enrolmentAnswer. */
            enrolmentAnswer?: (tillbridge.v1.EnrolmentAnswer.$Properties|null);

            /** Envelope storePolicy. */
            storePolicy?: (tillbridge.v1.StorePolicy.$Properties|null);

            /** Envelope authorizationRequest. */
            authorizationRequest?: (tillbridge.v1.AuthorizationRequest.$Properties|null);

            /** Envelope authorizationAnswer. */
            authorizationAnswer?: (tillbridge.v1.AuthorizationAnswer.$Properties|null);

            /** Envelope statusRequest. */
            statusRequest?: (tillbridge.v1.StatusRequest.$Properties|null);

            /** Envelope statusAnswer. */
            statusAnswer?: (tillbridge.v1.StatusAnswer.$Properties|null);

            /** Envelope reversal. */
            reversal?: (tillbridge.v1.Reversal.$Properties|null);

            /** Envelope offlineRecord. */
            offlineRecord?: (tillbridge.v1.OfflineRecord.$Properties|null);

            /** Envelope capture. */
            capture?: (tillbridge.v1.Capture.$Properties|null);

            /** Envelope acknowledgement. */
            acknowledgement?: (tillbridge.v1.Acknowledgement.$Properties|null);

            /** Envelope parked. */
            parked?: (tillbridge.v1.Parked.$Properties|null);

            /** Envelope voiceAuthorization. */
            voiceAuthorization?: (tillbridge.v1.VoiceAuthorization.$Properties|null);

            /** Envelope cancelIfUnseen. */
            cancelIfUnseen?: (tillbridge.v1.CancelIfUnseen.$Properties|null);

            /** Envelope command. */
            command?: (tillbridge.v1.Command.$Properties|null);

            /** Envelope commandResult. */
            commandResult?: (tillbridge.v1.CommandResult.$Properties|null);

            /** Envelope body. */
            body?: ("challenge"|"hello"|"welcome"|"goodbye"|"heartbeat"|"heartbeatAnswer"|"enrolmentRequest"|"enrolmentAnswer"|"storePolicy"|"authorizationRequest"|"authorizationAnswer"|"statusRequest"|"statusAnswer"|"reversal"|"offlineRecord"|"capture"|"acknowledgement"|"parked"|"voiceAuthorization"|"cancelIfUnseen"|"command"|"commandResult");

            /**
             * Encodes the specified Envelope message. Does not implicitly {@link tillbridge.v1.Envelope.verify|verify} messages.
             * @param message Envelope message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Envelope.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an Envelope message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Envelope & tillbridge.v1.Envelope.$Shape} Envelope
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Envelope & tillbridge.v1.Envelope.$Shape;

            /**
             * Verifies an Envelope message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an Envelope message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Envelope
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Envelope;

            /**
             * Creates a plain object from an Envelope message. Also converts values to other types if specified.
             * @param message Envelope
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Envelope, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Envelope to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Envelope
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Envelope {

            /** Properties of an Envelope. */
            interface $Properties {

                /** Envelope id */
                id?: (string|null);

                /** Envelope terminalId */
                terminalId?: (string|null);

                /** Envelope sequence */
                sequence?: (number|null);

                /** Envelope challenge */
                challenge?: (tillbridge.v1.Challenge.$Properties|null);

                /** Envelope hello */
                hello?: (tillbridge.v1.Hello.$Properties|null);

                /** Envelope welcome */
                welcome?: (tillbridge.v1.Welcome.$Properties|null);

                /** Envelope goodbye */
                goodbye?: (tillbridge.v1.Goodbye.$Properties|null);

                /** Envelope heartbeat */
                heartbeat?: (tillbridge.v1.Heartbeat.$Properties|null);

                /** Envelope heartbeatAnswer */
                heartbeatAnswer?: (tillbridge.v1.HeartbeatAnswer.$Properties|null);

                /** Envelope enrolmentRequest */
                enrolmentRequest?: (tillbridge.v1.EnrolmentRequest.$Properties|null);

                /** Envelope enrolmentAnswer */
                enrolmentAnswer?: (tillbridge.v1.EnrolmentAnswer.$Properties|null);

                /** Envelope storePolicy */
                storePolicy?: (tillbridge.v1.StorePolicy.$Properties|null);

                /** Envelope authorizationRequest */
                authorizationRequest?: (tillbridge.v1.AuthorizationRequest.$Properties|null);

                /** Envelope authorizationAnswer */
                authorizationAnswer?: (tillbridge.v1.AuthorizationAnswer.$Properties|null);

                /** Envelope statusRequest */
                statusRequest?: (tillbridge.v1.StatusRequest.$Properties|null);

                /** Envelope statusAnswer */
                statusAnswer?: (tillbridge.v1.StatusAnswer.$Properties|null);

                /** Envelope reversal */
                reversal?: (tillbridge.v1.Reversal.$Properties|null);

                /** Envelope offlineRecord */
                offlineRecord?: (tillbridge.v1.OfflineRecord.$Properties|null);

                /** Envelope capture */
                capture?: (tillbridge.v1.Capture.$Properties|null);

                /** Envelope acknowledgement */
                acknowledgement?: (tillbridge.v1.Acknowledgement.$Properties|null);

                /** Envelope parked */
                parked?: (tillbridge.v1.Parked.$Properties|null);

                /** Envelope voiceAuthorization */
                voiceAuthorization?: (tillbridge.v1.VoiceAuthorization.$Properties|null);

                /** Envelope cancelIfUnseen */
                cancelIfUnseen?: (tillbridge.v1.CancelIfUnseen.$Properties|null);

                /** Envelope command */
                command?: (tillbridge.v1.Command.$Properties|null);

                /** Envelope commandResult */
                commandResult?: (tillbridge.v1.CommandResult.$Properties|null);

                /** Envelope body */
                body?: ("challenge"|"hello"|"welcome"|"goodbye"|"heartbeat"|"heartbeatAnswer"|"enrolmentRequest"|"enrolmentAnswer"|"storePolicy"|"authorizationRequest"|"authorizationAnswer"|"statusRequest"|"statusAnswer"|"reversal"|"offlineRecord"|"capture"|"acknowledgement"|"parked"|"voiceAuthorization"|"cancelIfUnseen"|"command"|"commandResult");

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Narrowed shape of an Envelope. */
            type $Shape = {
              id?: string|null;
              terminalId?: string|null;
              sequence?: number|null;
              challenge?: tillbridge.v1.Challenge.$Shape|null;
              hello?: tillbridge.v1.Hello.$Shape|null;
              welcome?: tillbridge.v1.Welcome.$Shape|null;
              goodbye?: tillbridge.v1.Goodbye.$Shape|null;
              heartbeat?: tillbridge.v1.Heartbeat.$Shape|null;
              heartbeatAnswer?: tillbridge.v1.HeartbeatAnswer.$Shape|null;
              enrolmentRequest?: tillbridge.v1.EnrolmentRequest.$Shape|null;
              enrolmentAnswer?: tillbridge.v1.EnrolmentAnswer.$Shape|null;
              storePolicy?: tillbridge.v1.StorePolicy.$Shape|null;
              authorizationRequest?: tillbridge.v1.AuthorizationRequest.$Shape|null;
              authorizationAnswer?: tillbridge.v1.AuthorizationAnswer.$Shape|null;
              statusRequest?: tillbridge.v1.StatusRequest.$Shape|null;
              statusAnswer?: tillbridge.v1.StatusAnswer.$Shape|null;
              reversal?: tillbridge.v1.Reversal.$Shape|null;
              offlineRecord?: tillbridge.v1.OfflineRecord.$Shape|null;
              capture?: tillbridge.v1.Capture.$Shape|null;
              acknowledgement?: tillbridge.v1.Acknowledgement.$Shape|null;
              parked?: tillbridge.v1.Parked.$Shape|null;
              voiceAuthorization?: tillbridge.v1.VoiceAuthorization.$Shape|null;
              cancelIfUnseen?: tillbridge.v1.CancelIfUnseen.$Shape|null;
              command?: tillbridge.v1.Command.$Shape|null;
              commandResult?: tillbridge.v1.CommandResult.$Shape|null;
              $unknowns?: Uint8Array[];
            } & (
              ({ body?: undefined; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "challenge"; challenge: tillbridge.v1.Challenge.$Shape; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "hello"; challenge?: null; hello: tillbridge.v1.Hello.$Shape; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "welcome"; challenge?: null; hello?: null; welcome: tillbridge.v1.Welcome.$Shape; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "goodbye"; challenge?: null; hello?: null; welcome?: null; goodbye: tillbridge.v1.Goodbye.$Shape; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "heartbeat"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat: tillbridge.v1.Heartbeat.$Shape; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "heartbeatAnswer"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer: tillbridge.v1.HeartbeatAnswer.$Shape; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "enrolmentRequest"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest: tillbridge.v1.EnrolmentRequest.$Shape; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "enrolmentAnswer"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer: tillbridge.v1.EnrolmentAnswer.$Shape; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "storePolicy"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy: tillbridge.v1.StorePolicy.$Shape; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "authorizationRequest"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest: tillbridge.v1.AuthorizationRequest.$Shape; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "authorizationAnswer"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer: tillbridge.v1.AuthorizationAnswer.$Shape; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "statusRequest"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest: tillbridge.v1.StatusRequest.$Shape; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "statusAnswer"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer: tillbridge.v1.StatusAnswer.$Shape; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "reversal"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal: tillbridge.v1.Reversal.$Shape; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "offlineRecord"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord: tillbridge.v1.OfflineRecord.$Shape; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "capture"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture: tillbridge.v1.Capture.$Shape; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "acknowledgement"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement: tillbridge.v1.Acknowledgement.$Shape; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "parked"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked: tillbridge.v1.Parked.$Shape; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "voiceAuthorization"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization: tillbridge.v1.VoiceAuthorization.$Shape; cancelIfUnseen?: null; command?: null; commandResult?: null }|{ body?: "cancelIfUnseen"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen: tillbridge.v1.CancelIfUnseen.$Shape; command?: null; commandResult?: null }|{ body?: "command"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command: tillbridge.v1.Command.$Shape; commandResult?: null }|{ body?: "commandResult"; challenge?: null; hello?: null; welcome?: null; goodbye?: null; heartbeat?: null; heartbeatAnswer?: null; enrolmentRequest?: null; enrolmentAnswer?: null; storePolicy?: null; authorizationRequest?: null; authorizationAnswer?: null; statusRequest?: null; statusAnswer?: null; reversal?: null; offlineRecord?: null; capture?: null; acknowledgement?: null; parked?: null; voiceAuthorization?: null; cancelIfUnseen?: null; command?: null; commandResult: tillbridge.v1.CommandResult.$Shape })
            );
        }

        /**
         * Properties of a Challenge.
         * @deprecated Use tillbridge.v1.Challenge.$Properties instead.
         */
        interface IChallenge extends tillbridge.v1.Challenge.$Properties {
        }

        /** Represents a Challenge. */
        class Challenge {

            /**
             * Constructs a new Challenge.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Challenge.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Challenge nonce. */
            nonce: Uint8Array;

            /** Challenge versionMin. */
            versionMin: number;

            /** Challenge versionMax. */
            versionMax: number;

            /**
             * Encodes the specified Challenge message. Does not implicitly {@link tillbridge.v1.Challenge.verify|verify} messages.
             * @param message Challenge message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Challenge.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Challenge message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Challenge & tillbridge.v1.Challenge.$Shape} Challenge
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Challenge & tillbridge.v1.Challenge.$Shape;

            /**
             * Verifies a Challenge message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Challenge message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Challenge
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Challenge;

            /**
             * Creates a plain object from a Challenge message. Also converts values to other types if specified.
             * @param message Challenge
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Challenge, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Challenge to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Challenge
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Challenge {

            /** Properties of a Challenge. */
            interface $Properties {

                /** Challenge nonce */
                nonce?: (Uint8Array|null);

                /** Challenge versionMin */
                versionMin?: (number|null);

                /** Challenge versionMax */
                versionMax?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Challenge. */
            type $Shape = tillbridge.v1.Challenge.$Properties;
        }

        /**
         * Properties of a Hello.
         * @deprecated Use tillbridge.v1.Hello.$Properties instead.
         */
        interface IHello extends tillbridge.v1.Hello.$Properties {
        }

        /** Represents a Hello. */
        class Hello {

            /**
             * Constructs a new Hello.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Hello.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Hello agentId. */
            agentId: string;

            /** Hello bootId. */
            bootId: string;

            /** Hello generation. */
            generation: number;

            /** Hello versionMin. */
            versionMin: number;

            /** Hello versionMax. */
            versionMax: number;

            /** Hello signature. */
            signature: Uint8Array;

            /** Hello software. */
            software: string;

            /** Hello streams. */
            streams: tillbridge.v1.StreamPosition.$Properties[];

            /** Hello terminals. */
            terminals: tillbridge.v1.TerminalStatus.$Properties[];

            /** Hello nonce. */
            nonce: Uint8Array;

            /** Hello channel. */
            channel: string;

            /**
             * Encodes the specified Hello message. Does not implicitly {@link tillbridge.v1.Hello.verify|verify} messages.
             * @param message Hello message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Hello.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Hello message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Hello & tillbridge.v1.Hello.$Shape} Hello
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Hello & tillbridge.v1.Hello.$Shape;

            /**
             * Verifies a Hello message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Hello message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Hello
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Hello;

            /**
             * Creates a plain object from a Hello message. Also converts values to other types if specified.
             * @param message Hello
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Hello, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Hello to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Hello
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Hello {

            /** Properties of a Hello. */
            interface $Properties {

                /** Hello agentId */
                agentId?: (string|null);

                /** Hello bootId */
                bootId?: (string|null);

                /** Hello generation */
                generation?: (number|null);

                /** Hello versionMin */
                versionMin?: (number|null);

                /** Hello versionMax */
                versionMax?: (number|null);

                /** Hello signature */
                signature?: (Uint8Array|null);

                /** Hello software */
                software?: (string|null);

                /** Hello streams */
                streams?: (tillbridge.v1.StreamPosition.$Properties[]|null);

                /** Hello terminals */
                terminals?: (tillbridge.v1.TerminalStatus.$Properties[]|null);

                /** Hello nonce */
                nonce?: (Uint8Array|null);

                /** Hello channel */
                channel?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Hello. */
            type $Shape = tillbridge.v1.Hello.$Properties;
        }

        /**
         * Properties of a Welcome.
         * @deprecated Use tillbridge.v1.Welcome.$Properties instead.
         */
        interface IWelcome extends tillbridge.v1.Welcome.$Properties {
        }

        /** Represents a Welcome. */
        class Welcome {

            /**
             * Constructs a new Welcome.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Welcome.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Welcome version. */
            version: number;

            /** Welcome epoch. */
            epoch: number;

            /** Welcome timeMs. */
            timeMs: number;

            /** Welcome heartbeatIntervalMs. */
            heartbeatIntervalMs: number;

            /** Welcome streams. */
            streams: tillbridge.v1.StreamPosition.$Properties[];

            /** Welcome liveCredits. */
            liveCredits: number;

            /** Welcome backlogCredits. */
            backlogCredits: number;

            /** Welcome journalHead. */
            journalHead?: (tillbridge.v1.JournalHead.$Properties|null);

            /** Welcome pins. */
            pins?: (tillbridge.v1.GatewayPins.$Properties|null);

            /** Welcome signature. */
            signature: Uint8Array;

            /** Welcome policy. */
            policy?: (tillbridge.v1.StorePolicy.$Properties|null);

            /**
             * Encodes the specified Welcome message. Does not implicitly {@link tillbridge.v1.Welcome.verify|verify} messages.
             * @param message Welcome message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Welcome.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Welcome message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Welcome & tillbridge.v1.Welcome.$Shape} Welcome
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Welcome & tillbridge.v1.Welcome.$Shape;

            /**
             * Verifies a Welcome message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Welcome message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Welcome
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Welcome;

            /**
             * Creates a plain object from a Welcome message. Also converts values to other types if specified.
             * @param message Welcome
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Welcome, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Welcome to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Welcome
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Welcome {

            /** Properties of a Welcome. */
            interface $Properties {

                /** Welcome version */
                version?: (number|null);

                /** Welcome epoch */
                epoch?: (number|null);

                /** Welcome timeMs */
                timeMs?: (number|null);

                /** Welcome heartbeatIntervalMs */
                heartbeatIntervalMs?: (number|null);

                /** Welcome streams */
                streams?: (tillbridge.v1.StreamPosition.$Properties[]|null);

                /** Welcome liveCredits */
                liveCredits?: (number|null);

                /** Welcome backlogCredits */
                backlogCredits?: (number|null);

                /** Welcome journalHead */
                journalHead?: (tillbridge.v1.JournalHead.$Properties|null);

                /** Welcome pins */
                pins?: (tillbridge.v1.GatewayPins.$Properties|null);

                /** Welcome signature */
                signature?: (Uint8Array|null);

                /** Welcome policy */
                policy?: (tillbridge.v1.StorePolicy.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Welcome. */
            type $Shape = tillbridge.v1.Welcome.$Properties;
        }

        /**
         * Properties of a StorePolicy.
         * @deprecated Use tillbridge.v1.StorePolicy.$Properties instead.
         */
        interface IStorePolicy extends tillbridge.v1.StorePolicy.$Properties {
        }

        /** Represents a StorePolicy. */
        class StorePolicy {

            /**
             * Constructs a new StorePolicy.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.StorePolicy.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** StorePolicy agentId. */
            agentId: string;

            /** StorePolicy entityId. */
            entityId: string;

            /** StorePolicy version. */
            version: number;

            /** StorePolicy timeMs. */
            timeMs: number;

            /** StorePolicy offline. */
            offline?: (tillbridge.v1.OfflinePolicy.$Properties|null);

            /** StorePolicy unlinkedRefunds. */
            unlinkedRefunds: boolean;

            /** StorePolicy ceilings. */
            ceilings: tillbridge.v1.Money.$Properties[];

            /** StorePolicy signature. */
            signature: Uint8Array;

            /** StorePolicy maxTipPercent. */
            maxTipPercent: number;

            /** StorePolicy cashBack. */
            cashBack: tillbridge.v1.Money.$Properties[];

            /**
             * Encodes the specified StorePolicy message. Does not implicitly {@link tillbridge.v1.StorePolicy.verify|verify} messages.
             * @param message StorePolicy message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.StorePolicy.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a StorePolicy message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.StorePolicy & tillbridge.v1.StorePolicy.$Shape} StorePolicy
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.StorePolicy & tillbridge.v1.StorePolicy.$Shape;

            /**
             * Verifies a StorePolicy message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a StorePolicy message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns StorePolicy
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.StorePolicy;

            /**
             * Creates a plain object from a StorePolicy message. Also converts values to other types if specified.
             * @param message StorePolicy
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.StorePolicy, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this StorePolicy to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for StorePolicy
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace StorePolicy {

            /** Properties of a StorePolicy. */
            interface $Properties {

                /** StorePolicy agentId */
                agentId?: (string|null);

                /** StorePolicy entityId */
                entityId?: (string|null);

                /** StorePolicy version */
                version?: (number|null);

                /** StorePolicy timeMs */
                timeMs?: (number|null);

                /** StorePolicy offline */
                offline?: (tillbridge.v1.OfflinePolicy.$Properties|null);

                /** StorePolicy unlinkedRefunds */
                unlinkedRefunds?: (boolean|null);

                /** StorePolicy ceilings */
                ceilings?: (tillbridge.v1.Money.$Properties[]|null);

                /** StorePolicy signature */
                signature?: (Uint8Array|null);

                /** StorePolicy maxTipPercent */
                maxTipPercent?: (number|null);

                /** StorePolicy cashBack */
                cashBack?: (tillbridge.v1.Money.$Properties[]|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a StorePolicy. */
            type $Shape = tillbridge.v1.StorePolicy.$Properties;
        }

        /**
         * Properties of an OfflinePolicy.
         * @deprecated Use tillbridge.v1.OfflinePolicy.$Properties instead.
         */
        interface IOfflinePolicy extends tillbridge.v1.OfflinePolicy.$Properties {
        }

        /** Represents an OfflinePolicy. */
        class OfflinePolicy {

            /**
             * Constructs a new OfflinePolicy.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.OfflinePolicy.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** OfflinePolicy general. */
            general?: (tillbridge.v1.OfflineBounds.$Properties|null);

            /** OfflinePolicy deferred. */
            deferred?: (tillbridge.v1.OfflineBounds.$Properties|null);

            /** OfflinePolicy maxAgeMs. */
            maxAgeMs: number;

            /**
             * Encodes the specified OfflinePolicy message. Does not implicitly {@link tillbridge.v1.OfflinePolicy.verify|verify} messages.
             * @param message OfflinePolicy message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.OfflinePolicy.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an OfflinePolicy message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.OfflinePolicy & tillbridge.v1.OfflinePolicy.$Shape} OfflinePolicy
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.OfflinePolicy & tillbridge.v1.OfflinePolicy.$Shape;

            /**
             * Verifies an OfflinePolicy message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an OfflinePolicy message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns OfflinePolicy
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.OfflinePolicy;

            /**
             * Creates a plain object from an OfflinePolicy message. Also converts values to other types if specified.
             * @param message OfflinePolicy
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.OfflinePolicy, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this OfflinePolicy to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for OfflinePolicy
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace OfflinePolicy {

            /** Properties of an OfflinePolicy. */
            interface $Properties {

                /** OfflinePolicy general */
                general?: (tillbridge.v1.OfflineBounds.$Properties|null);

                /** OfflinePolicy deferred */
                deferred?: (tillbridge.v1.OfflineBounds.$Properties|null);

                /** OfflinePolicy maxAgeMs */
                maxAgeMs?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an OfflinePolicy. */
            type $Shape = tillbridge.v1.OfflinePolicy.$Properties;
        }

        /**
         * Properties of an OfflineBounds.
         * @deprecated Use tillbridge.v1.OfflineBounds.$Properties instead.
         */
        interface IOfflineBounds extends tillbridge.v1.OfflineBounds.$Properties {
        }

        /** Represents an OfflineBounds. */
        class OfflineBounds {

            /**
             * Constructs a new OfflineBounds.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.OfflineBounds.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** OfflineBounds maxCount. */
            maxCount: number;

            /** OfflineBounds limits. */
            limits: tillbridge.v1.OfflineLimit.$Properties[];

            /**
             * Encodes the specified OfflineBounds message. Does not implicitly {@link tillbridge.v1.OfflineBounds.verify|verify} messages.
             * @param message OfflineBounds message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.OfflineBounds.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an OfflineBounds message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.OfflineBounds & tillbridge.v1.OfflineBounds.$Shape} OfflineBounds
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.OfflineBounds & tillbridge.v1.OfflineBounds.$Shape;

            /**
             * Verifies an OfflineBounds message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an OfflineBounds message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns OfflineBounds
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.OfflineBounds;

            /**
             * Creates a plain object from an OfflineBounds message. Also converts values to other types if specified.
             * @param message OfflineBounds
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.OfflineBounds, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this OfflineBounds to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for OfflineBounds
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace OfflineBounds {

            /** Properties of an OfflineBounds. */
            interface $Properties {

                /** OfflineBounds maxCount */
                maxCount?: (number|null);

                /** OfflineBounds limits */
                limits?: (tillbridge.v1.OfflineLimit.$Properties[]|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an OfflineBounds. */
            type $Shape = tillbridge.v1.OfflineBounds.$Properties;
        }

        /**
         * Properties of an OfflineLimit.
         * @deprecated Use tillbridge.v1.OfflineLimit.$Properties instead.
         */
        interface IOfflineLimit extends tillbridge.v1.OfflineLimit.$Properties {
        }

        /** Represents an OfflineLimit. */
        class OfflineLimit {

            /**
             * Constructs a new OfflineLimit.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.OfflineLimit.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** OfflineLimit currency. */
            currency: string;

            /** OfflineLimit perSaleMinor. */
            perSaleMinor: number;

            /** OfflineLimit sumMinor. */
            sumMinor: number;

            /**
             * Encodes the specified OfflineLimit message. Does not implicitly {@link tillbridge.v1.OfflineLimit.verify|verify} messages.
             * @param message OfflineLimit message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.OfflineLimit.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an OfflineLimit message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.OfflineLimit & tillbridge.v1.OfflineLimit.$Shape} OfflineLimit
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.OfflineLimit & tillbridge.v1.OfflineLimit.$Shape;

            /**
             * Verifies an OfflineLimit message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an OfflineLimit message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns OfflineLimit
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.OfflineLimit;

            /**
             * Creates a plain object from an OfflineLimit message. Also converts values to other types if specified.
             * @param message OfflineLimit
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.OfflineLimit, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this OfflineLimit to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for OfflineLimit
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace OfflineLimit {

            /** Properties of an OfflineLimit. */
            interface $Properties {

                /** OfflineLimit currency */
                currency?: (string|null);

                /** OfflineLimit perSaleMinor */
                perSaleMinor?: (number|null);

                /** OfflineLimit sumMinor */
                sumMinor?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an OfflineLimit. */
            type $Shape = tillbridge.v1.OfflineLimit.$Properties;
        }

        /**
         * Properties of a GatewayPins.
         * @deprecated Use tillbridge.v1.GatewayPins.$Properties instead.
         */
        interface IGatewayPins extends tillbridge.v1.GatewayPins.$Properties {
        }

        /** Represents a GatewayPins. */
        class GatewayPins {

            /**
             * Constructs a new GatewayPins.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.GatewayPins.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** GatewayPins identityKeys. */
            identityKeys: Uint8Array[];

            /** GatewayPins tlsPins. */
            tlsPins: string[];

            /** GatewayPins authorities. */
            authorities: Uint8Array[];

            /**
             * Encodes the specified GatewayPins message. Does not implicitly {@link tillbridge.v1.GatewayPins.verify|verify} messages.
             * @param message GatewayPins message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.GatewayPins.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a GatewayPins message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.GatewayPins & tillbridge.v1.GatewayPins.$Shape} GatewayPins
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.GatewayPins & tillbridge.v1.GatewayPins.$Shape;

            /**
             * Verifies a GatewayPins message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a GatewayPins message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns GatewayPins
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.GatewayPins;

            /**
             * Creates a plain object from a GatewayPins message. Also converts values to other types if specified.
             * @param message GatewayPins
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.GatewayPins, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this GatewayPins to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for GatewayPins
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace GatewayPins {

            /** Properties of a GatewayPins. */
            interface $Properties {

                /** GatewayPins identityKeys */
                identityKeys?: (Uint8Array[]|null);

                /** GatewayPins tlsPins */
                tlsPins?: (string[]|null);

                /** GatewayPins authorities */
                authorities?: (Uint8Array[]|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a GatewayPins. */
            type $Shape = tillbridge.v1.GatewayPins.$Properties;
        }

        /** EnrolmentPurpose enum. */
        enum EnrolmentPurpose {

            /** ENROLMENT_PURPOSE_UNSPECIFIED value */
            ENROLMENT_PURPOSE_UNSPECIFIED = 0,

            /** NEW_AGENT value */
            NEW_AGENT = 1,

            /** NEW_KEY value */
            NEW_KEY = 2,

            /** REPLACEMENT value */
            REPLACEMENT = 3
        }

        /**
         * Properties of an EnrolmentRequest.
         * @deprecated Use tillbridge.v1.EnrolmentRequest.$Properties instead.
         */
        interface IEnrolmentRequest extends tillbridge.v1.EnrolmentRequest.$Properties {
        }

        /** Represents an EnrolmentRequest. */
        class EnrolmentRequest {

            /**
             * Constructs a new EnrolmentRequest.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.EnrolmentRequest.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** EnrolmentRequest codeId. */
            codeId: string;

            /** EnrolmentRequest purpose. */
            purpose: tillbridge.v1.EnrolmentPurpose;

            /** EnrolmentRequest agentId. */
            agentId: string;

            /** EnrolmentRequest publicKey. */
            publicKey: Uint8Array;

            /** EnrolmentRequest nonce. */
            nonce: Uint8Array;

            /** EnrolmentRequest channel. */
            channel: string;

            /** EnrolmentRequest codeSignature. */
            codeSignature: Uint8Array;

            /** EnrolmentRequest keySignature. */
            keySignature: Uint8Array;

            /**
             * Encodes the specified EnrolmentRequest message. Does not implicitly {@link tillbridge.v1.EnrolmentRequest.verify|verify} messages.
             * @param message EnrolmentRequest message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.EnrolmentRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an EnrolmentRequest message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.EnrolmentRequest & tillbridge.v1.EnrolmentRequest.$Shape} EnrolmentRequest
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.EnrolmentRequest & tillbridge.v1.EnrolmentRequest.$Shape;

            /**
             * Verifies an EnrolmentRequest message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an EnrolmentRequest message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns EnrolmentRequest
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.EnrolmentRequest;

            /**
             * Creates a plain object from an EnrolmentRequest message. Also converts values to other types if specified.
             * @param message EnrolmentRequest
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.EnrolmentRequest, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this EnrolmentRequest to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for EnrolmentRequest
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace EnrolmentRequest {

            /** Properties of an EnrolmentRequest. */
            interface $Properties {

                /** EnrolmentRequest codeId */
                codeId?: (string|null);

                /** EnrolmentRequest purpose */
                purpose?: (tillbridge.v1.EnrolmentPurpose|null);

                /** EnrolmentRequest agentId */
                agentId?: (string|null);

                /** EnrolmentRequest publicKey */
                publicKey?: (Uint8Array|null);

                /** EnrolmentRequest nonce */
                nonce?: (Uint8Array|null);

                /** EnrolmentRequest channel */
                channel?: (string|null);

                /** EnrolmentRequest codeSignature */
                codeSignature?: (Uint8Array|null);

                /** EnrolmentRequest keySignature */
                keySignature?: (Uint8Array|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an EnrolmentRequest. */
            type $Shape = tillbridge.v1.EnrolmentRequest.$Properties;
        }

        /**
         * Properties of an EnrolmentAnswer.
         * @deprecated Use tillbridge.v1.EnrolmentAnswer.$Properties instead.
         */
        interface IEnrolmentAnswer extends tillbridge.v1.EnrolmentAnswer.$Properties {
        }

        /** Represents an EnrolmentAnswer. */
        class EnrolmentAnswer {

            /**
             * Constructs a new EnrolmentAnswer.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.EnrolmentAnswer.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** EnrolmentAnswer agentId. */
            agentId: string;

            /** EnrolmentAnswer generation. */
            generation: number;

            /** EnrolmentAnswer entityId. */
            entityId: string;

            /** EnrolmentAnswer terminals. */
            terminals: string[];

            /** EnrolmentAnswer pins. */
            pins?: (tillbridge.v1.GatewayPins.$Properties|null);

            /** EnrolmentAnswer signature. */
            signature: Uint8Array;

            /**
             * Encodes the specified EnrolmentAnswer message. Does not implicitly {@link tillbridge.v1.EnrolmentAnswer.verify|verify} messages.
             * @param message EnrolmentAnswer message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.EnrolmentAnswer.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an EnrolmentAnswer message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.EnrolmentAnswer & tillbridge.v1.EnrolmentAnswer.$Shape} EnrolmentAnswer
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.EnrolmentAnswer & tillbridge.v1.EnrolmentAnswer.$Shape;

            /**
             * Verifies an EnrolmentAnswer message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an EnrolmentAnswer message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns EnrolmentAnswer
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.EnrolmentAnswer;

            /**
             * Creates a plain object from an EnrolmentAnswer message. Also converts values to other types if specified.
             * @param message EnrolmentAnswer
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.EnrolmentAnswer, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this EnrolmentAnswer to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for EnrolmentAnswer
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace EnrolmentAnswer {

            /** Properties of an EnrolmentAnswer. */
            interface $Properties {

                /** EnrolmentAnswer agentId */
                agentId?: (string|null);

                /** EnrolmentAnswer generation */
                generation?: (number|null);

                /** EnrolmentAnswer entityId */
                entityId?: (string|null);

                /** EnrolmentAnswer terminals */
                terminals?: (string[]|null);

                /** EnrolmentAnswer pins */
                pins?: (tillbridge.v1.GatewayPins.$Properties|null);

                /** EnrolmentAnswer signature */
                signature?: (Uint8Array|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an EnrolmentAnswer. */
            type $Shape = tillbridge.v1.EnrolmentAnswer.$Properties;
        }

        /**
         * Properties of a JournalHead.
         * @deprecated Use tillbridge.v1.JournalHead.$Properties instead.
         */
        interface IJournalHead extends tillbridge.v1.JournalHead.$Properties {
        }

        /** Represents a JournalHead. */
        class JournalHead {

            /**
             * Constructs a new JournalHead.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.JournalHead.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** JournalHead row. */
            row: number;

            /** JournalHead hash. */
            hash: Uint8Array;

            /**
             * Encodes the specified JournalHead message. Does not implicitly {@link tillbridge.v1.JournalHead.verify|verify} messages.
             * @param message JournalHead message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.JournalHead.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a JournalHead message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.JournalHead & tillbridge.v1.JournalHead.$Shape} JournalHead
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.JournalHead & tillbridge.v1.JournalHead.$Shape;

            /**
             * Verifies a JournalHead message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a JournalHead message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns JournalHead
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.JournalHead;

            /**
             * Creates a plain object from a JournalHead message. Also converts values to other types if specified.
             * @param message JournalHead
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.JournalHead, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this JournalHead to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for JournalHead
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace JournalHead {

            /** Properties of a JournalHead. */
            interface $Properties {

                /** JournalHead row */
                row?: (number|null);

                /** JournalHead hash */
                hash?: (Uint8Array|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a JournalHead. */
            type $Shape = tillbridge.v1.JournalHead.$Properties;
        }

        /**
         * Properties of a CountersignedHead.
         * @deprecated Use tillbridge.v1.CountersignedHead.$Properties instead.
         */
        interface ICountersignedHead extends tillbridge.v1.CountersignedHead.$Properties {
        }

        /** Represents a CountersignedHead. */
        class CountersignedHead {

            /**
             * Constructs a new CountersignedHead.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.CountersignedHead.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** CountersignedHead generation. */
            generation: number;

            /** CountersignedHead row. */
            row: number;

            /** CountersignedHead hash. */
            hash: Uint8Array;

            /** CountersignedHead root. */
            root: Uint8Array;

            /** CountersignedHead timeMs. */
            timeMs: number;

            /** CountersignedHead key. */
            key: Uint8Array;

            /** CountersignedHead signature. */
            signature: Uint8Array;

            /**
             * Encodes the specified CountersignedHead message. Does not implicitly {@link tillbridge.v1.CountersignedHead.verify|verify} messages.
             * @param message CountersignedHead message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.CountersignedHead.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a CountersignedHead message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.CountersignedHead & tillbridge.v1.CountersignedHead.$Shape} CountersignedHead
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.CountersignedHead & tillbridge.v1.CountersignedHead.$Shape;

            /**
             * Verifies a CountersignedHead message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a CountersignedHead message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns CountersignedHead
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.CountersignedHead;

            /**
             * Creates a plain object from a CountersignedHead message. Also converts values to other types if specified.
             * @param message CountersignedHead
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.CountersignedHead, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this CountersignedHead to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for CountersignedHead
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace CountersignedHead {

            /** Properties of a CountersignedHead. */
            interface $Properties {

                /** CountersignedHead generation */
                generation?: (number|null);

                /** CountersignedHead row */
                row?: (number|null);

                /** CountersignedHead hash */
                hash?: (Uint8Array|null);

                /** CountersignedHead root */
                root?: (Uint8Array|null);

                /** CountersignedHead timeMs */
                timeMs?: (number|null);

                /** CountersignedHead key */
                key?: (Uint8Array|null);

                /** CountersignedHead signature */
                signature?: (Uint8Array|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a CountersignedHead. */
            type $Shape = tillbridge.v1.CountersignedHead.$Properties;
        }

        /**
         * Properties of a JournalTree.
         * @deprecated Use tillbridge.v1.JournalTree.$Properties instead.
         */
        interface IJournalTree extends tillbridge.v1.JournalTree.$Properties {
        }

        /** Represents a JournalTree. */
        class JournalTree {

            /**
             * Constructs a new JournalTree.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.JournalTree.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** JournalTree row. */
            row: number;

            /** JournalTree hash. */
            hash: Uint8Array;

            /** JournalTree root. */
            root: Uint8Array;

            /** JournalTree since. */
            since?: (tillbridge.v1.CountersignedHead.$Properties|null);

            /** JournalTree consistency. */
            consistency: Uint8Array[];

            /**
             * Encodes the specified JournalTree message. Does not implicitly {@link tillbridge.v1.JournalTree.verify|verify} messages.
             * @param message JournalTree message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.JournalTree.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a JournalTree message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.JournalTree & tillbridge.v1.JournalTree.$Shape} JournalTree
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.JournalTree & tillbridge.v1.JournalTree.$Shape;

            /**
             * Verifies a JournalTree message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a JournalTree message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns JournalTree
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.JournalTree;

            /**
             * Creates a plain object from a JournalTree message. Also converts values to other types if specified.
             * @param message JournalTree
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.JournalTree, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this JournalTree to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for JournalTree
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace JournalTree {

            /** Properties of a JournalTree. */
            interface $Properties {

                /** JournalTree row */
                row?: (number|null);

                /** JournalTree hash */
                hash?: (Uint8Array|null);

                /** JournalTree root */
                root?: (Uint8Array|null);

                /** JournalTree since */
                since?: (tillbridge.v1.CountersignedHead.$Properties|null);

                /** JournalTree consistency */
                consistency?: (Uint8Array[]|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a JournalTree. */
            type $Shape = tillbridge.v1.JournalTree.$Properties;
        }

        /** JournalVerdict enum. */
        enum JournalVerdict {

            /** JOURNAL_VERDICT_UNSPECIFIED value */
            JOURNAL_VERDICT_UNSPECIFIED = 0,

            /** CONTINUES value */
            CONTINUES = 1,

            /** BEHIND value */
            BEHIND = 2,

            /** FORKED value */
            FORKED = 3
        }

        /**
         * Properties of a StreamPosition.
         * @deprecated Use tillbridge.v1.StreamPosition.$Properties instead.
         */
        interface IStreamPosition extends tillbridge.v1.StreamPosition.$Properties {
        }

        /** Represents a StreamPosition. */
        class StreamPosition {

            /**
             * Constructs a new StreamPosition.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.StreamPosition.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** StreamPosition terminalId. */
            terminalId: string;

            /** StreamPosition nextSequence. */
            nextSequence: number;

            /**
             * Encodes the specified StreamPosition message. Does not implicitly {@link tillbridge.v1.StreamPosition.verify|verify} messages.
             * @param message StreamPosition message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.StreamPosition.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a StreamPosition message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.StreamPosition & tillbridge.v1.StreamPosition.$Shape} StreamPosition
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.StreamPosition & tillbridge.v1.StreamPosition.$Shape;

            /**
             * Verifies a StreamPosition message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a StreamPosition message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns StreamPosition
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.StreamPosition;

            /**
             * Creates a plain object from a StreamPosition message. Also converts values to other types if specified.
             * @param message StreamPosition
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.StreamPosition, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this StreamPosition to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for StreamPosition
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace StreamPosition {

            /** Properties of a StreamPosition. */
            interface $Properties {

                /** StreamPosition terminalId */
                terminalId?: (string|null);

                /** StreamPosition nextSequence */
                nextSequence?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a StreamPosition. */
            type $Shape = tillbridge.v1.StreamPosition.$Properties;
        }

        /**
         * Properties of a Goodbye.
         * @deprecated Use tillbridge.v1.Goodbye.$Properties instead.
         */
        interface IGoodbye extends tillbridge.v1.Goodbye.$Properties {
        }

        /** Represents a Goodbye. */
        class Goodbye {

            /**
             * Constructs a new Goodbye.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Goodbye.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Goodbye code. */
            code: tillbridge.v1.Goodbye.Code;

            /** Goodbye reason. */
            reason: string;

            /** Goodbye retryAfterMs. */
            retryAfterMs: number;

            /**
             * Encodes the specified Goodbye message. Does not implicitly {@link tillbridge.v1.Goodbye.verify|verify} messages.
             * @param message Goodbye message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Goodbye.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Goodbye message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Goodbye & tillbridge.v1.Goodbye.$Shape} Goodbye
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Goodbye & tillbridge.v1.Goodbye.$Shape;

            /**
             * Verifies a Goodbye message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Goodbye message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Goodbye
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Goodbye;

            /**
             * Creates a plain object from a Goodbye message. Also converts values to other types if specified.
             * @param message Goodbye
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Goodbye, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Goodbye to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Goodbye
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Goodbye {

            /** Properties of a Goodbye. */
            interface $Properties {

                /** Goodbye code */
                code?: (tillbridge.v1.Goodbye.Code|null);

                /** Goodbye reason */
                reason?: (string|null);

                /** Goodbye retryAfterMs */
                retryAfterMs?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Goodbye. */
            type $Shape = tillbridge.v1.Goodbye.$Properties;

            /** Code enum. */
            enum Code {

                /** CODE_UNSPECIFIED value */
                CODE_UNSPECIFIED = 0,

                /** UNAUTHENTICATED value */
                UNAUTHENTICATED = 1,

                /** VERSION_MISMATCH value */
                VERSION_MISMATCH = 2,

                /** SUPERSEDED value */
                SUPERSEDED = 3,

                /** FENCED value */
                FENCED = 4,

                /** PROTOCOL_ERROR value */
                PROTOCOL_ERROR = 5,

                /** GOING_DOWN value */
                GOING_DOWN = 6,

                /** OVERLOADED value */
                OVERLOADED = 7,

                /** GENERATION_NOT_ALLOWED value */
                GENERATION_NOT_ALLOWED = 8,

                /** TURN_LATER value */
                TURN_LATER = 9
            }
        }

        /**
         * Properties of a TerminalStatus.
         * @deprecated Use tillbridge.v1.TerminalStatus.$Properties instead.
         */
        interface ITerminalStatus extends tillbridge.v1.TerminalStatus.$Properties {
        }

        /** Represents a TerminalStatus. */
        class TerminalStatus {

            /**
             * Constructs a new TerminalStatus.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.TerminalStatus.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** TerminalStatus terminalId. */
            terminalId: string;

            /** TerminalStatus deviceType. */
            deviceType: string;

            /** TerminalStatus state. */
            state: string;

            /**
             * Encodes the specified TerminalStatus message. Does not implicitly {@link tillbridge.v1.TerminalStatus.verify|verify} messages.
             * @param message TerminalStatus message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.TerminalStatus.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a TerminalStatus message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.TerminalStatus & tillbridge.v1.TerminalStatus.$Shape} TerminalStatus
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.TerminalStatus & tillbridge.v1.TerminalStatus.$Shape;

            /**
             * Verifies a TerminalStatus message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a TerminalStatus message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns TerminalStatus
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.TerminalStatus;

            /**
             * Creates a plain object from a TerminalStatus message. Also converts values to other types if specified.
             * @param message TerminalStatus
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.TerminalStatus, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this TerminalStatus to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for TerminalStatus
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace TerminalStatus {

            /** Properties of a TerminalStatus. */
            interface $Properties {

                /** TerminalStatus terminalId */
                terminalId?: (string|null);

                /** TerminalStatus deviceType */
                deviceType?: (string|null);

                /** TerminalStatus state */
                state?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a TerminalStatus. */
            type $Shape = tillbridge.v1.TerminalStatus.$Properties;
        }

        /**
         * Properties of an Exposure.
         * @deprecated Use tillbridge.v1.Exposure.$Properties instead.
         */
        interface IExposure extends tillbridge.v1.Exposure.$Properties {
        }

        /** Represents an Exposure. */
        class Exposure {

            /**
             * Constructs a new Exposure.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Exposure.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Exposure terminalId. */
            terminalId: string;

            /** Exposure sum. */
            sum?: (tillbridge.v1.Money.$Properties|null);

            /** Exposure count. */
            count: number;

            /**
             * Encodes the specified Exposure message. Does not implicitly {@link tillbridge.v1.Exposure.verify|verify} messages.
             * @param message Exposure message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Exposure.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an Exposure message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Exposure & tillbridge.v1.Exposure.$Shape} Exposure
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Exposure & tillbridge.v1.Exposure.$Shape;

            /**
             * Verifies an Exposure message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an Exposure message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Exposure
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Exposure;

            /**
             * Creates a plain object from an Exposure message. Also converts values to other types if specified.
             * @param message Exposure
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Exposure, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Exposure to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Exposure
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Exposure {

            /** Properties of an Exposure. */
            interface $Properties {

                /** Exposure terminalId */
                terminalId?: (string|null);

                /** Exposure sum */
                sum?: (tillbridge.v1.Money.$Properties|null);

                /** Exposure count */
                count?: (number|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an Exposure. */
            type $Shape = tillbridge.v1.Exposure.$Properties;
        }

        /**
         * Properties of a Heartbeat.
         * @deprecated Use tillbridge.v1.Heartbeat.$Properties instead.
         */
        interface IHeartbeat extends tillbridge.v1.Heartbeat.$Properties {
        }

        /** Represents a Heartbeat. */
        class Heartbeat {

            /**
             * Constructs a new Heartbeat.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Heartbeat.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Heartbeat queueDepth. */
            queueDepth: number;

            /** Heartbeat parked. */
            parked: number;

            /** Heartbeat oldestAgeSeconds. */
            oldestAgeSeconds: number;

            /** Heartbeat exposure. */
            exposure: tillbridge.v1.Exposure.$Properties[];

            /** Heartbeat terminals. */
            terminals: tillbridge.v1.TerminalStatus.$Properties[];

            /** Heartbeat timeMs. */
            timeMs: number;

            /** Heartbeat journalRow. */
            journalRow: number;

            /** Heartbeat journalHash. */
            journalHash: Uint8Array;

            /** Heartbeat anchor. */
            anchor?: (tillbridge.v1.JournalHead.$Properties|null);

            /** Heartbeat tree. */
            tree?: (tillbridge.v1.JournalTree.$Properties|null);

            /**
             * Encodes the specified Heartbeat message. Does not implicitly {@link tillbridge.v1.Heartbeat.verify|verify} messages.
             * @param message Heartbeat message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Heartbeat.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Heartbeat message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Heartbeat & tillbridge.v1.Heartbeat.$Shape} Heartbeat
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Heartbeat & tillbridge.v1.Heartbeat.$Shape;

            /**
             * Verifies a Heartbeat message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Heartbeat message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Heartbeat
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Heartbeat;

            /**
             * Creates a plain object from a Heartbeat message. Also converts values to other types if specified.
             * @param message Heartbeat
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Heartbeat, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Heartbeat to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Heartbeat
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Heartbeat {

            /** Properties of a Heartbeat. */
            interface $Properties {

                /** Heartbeat queueDepth */
                queueDepth?: (number|null);

                /** Heartbeat parked */
                parked?: (number|null);

                /** Heartbeat oldestAgeSeconds */
                oldestAgeSeconds?: (number|null);

                /** Heartbeat exposure */
                exposure?: (tillbridge.v1.Exposure.$Properties[]|null);

                /** Heartbeat terminals */
                terminals?: (tillbridge.v1.TerminalStatus.$Properties[]|null);

                /** Heartbeat timeMs */
                timeMs?: (number|null);

                /** Heartbeat journalRow */
                journalRow?: (number|null);

                /** Heartbeat journalHash */
                journalHash?: (Uint8Array|null);

                /** Heartbeat anchor */
                anchor?: (tillbridge.v1.JournalHead.$Properties|null);

                /** Heartbeat tree */
                tree?: (tillbridge.v1.JournalTree.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Heartbeat. */
            type $Shape = tillbridge.v1.Heartbeat.$Properties;
        }

        /**
         * Properties of a HeartbeatAnswer.
         * @deprecated Use tillbridge.v1.HeartbeatAnswer.$Properties instead.
         */
        interface IHeartbeatAnswer extends tillbridge.v1.HeartbeatAnswer.$Properties {
        }

        /** Represents a HeartbeatAnswer. */
        class HeartbeatAnswer {

            /**
             * Constructs a new HeartbeatAnswer.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.HeartbeatAnswer.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** HeartbeatAnswer timeMs. */
            timeMs: number;

            /** HeartbeatAnswer journalHead. */
            journalHead?: (tillbridge.v1.JournalHead.$Properties|null);

            /** HeartbeatAnswer journalVerdict. */
            journalVerdict: tillbridge.v1.JournalVerdict;

            /** HeartbeatAnswer countersigned. */
            countersigned?: (tillbridge.v1.CountersignedHead.$Properties|null);

            /** HeartbeatAnswer todos. */
            todos?: (tillbridge.v1.StoreTodos.$Properties|null);

            /**
             * Encodes the specified HeartbeatAnswer message. Does not implicitly {@link tillbridge.v1.HeartbeatAnswer.verify|verify} messages.
             * @param message HeartbeatAnswer message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.HeartbeatAnswer.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a HeartbeatAnswer message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.HeartbeatAnswer & tillbridge.v1.HeartbeatAnswer.$Shape} HeartbeatAnswer
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.HeartbeatAnswer & tillbridge.v1.HeartbeatAnswer.$Shape;

            /**
             * Verifies a HeartbeatAnswer message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a HeartbeatAnswer message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns HeartbeatAnswer
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.HeartbeatAnswer;

            /**
             * Creates a plain object from a HeartbeatAnswer message. Also converts values to other types if specified.
             * @param message HeartbeatAnswer
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.HeartbeatAnswer, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this HeartbeatAnswer to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for HeartbeatAnswer
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace HeartbeatAnswer {

            /** Properties of a HeartbeatAnswer. */
            interface $Properties {

                /** HeartbeatAnswer timeMs */
                timeMs?: (number|null);

                /** HeartbeatAnswer journalHead */
                journalHead?: (tillbridge.v1.JournalHead.$Properties|null);

                /** HeartbeatAnswer journalVerdict */
                journalVerdict?: (tillbridge.v1.JournalVerdict|null);

                /** HeartbeatAnswer countersigned */
                countersigned?: (tillbridge.v1.CountersignedHead.$Properties|null);

                /** HeartbeatAnswer todos */
                todos?: (tillbridge.v1.StoreTodos.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a HeartbeatAnswer. */
            type $Shape = tillbridge.v1.HeartbeatAnswer.$Properties;
        }

        /**
         * Properties of a StoreTodos.
         * @deprecated Use tillbridge.v1.StoreTodos.$Properties instead.
         */
        interface IStoreTodos extends tillbridge.v1.StoreTodos.$Properties {
        }

        /** Represents a StoreTodos. */
        class StoreTodos {

            /**
             * Constructs a new StoreTodos.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.StoreTodos.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** StoreTodos todos. */
            todos: tillbridge.v1.StoreTodo.$Properties[];

            /**
             * Encodes the specified StoreTodos message. Does not implicitly {@link tillbridge.v1.StoreTodos.verify|verify} messages.
             * @param message StoreTodos message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.StoreTodos.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a StoreTodos message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.StoreTodos & tillbridge.v1.StoreTodos.$Shape} StoreTodos
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.StoreTodos & tillbridge.v1.StoreTodos.$Shape;

            /**
             * Verifies a StoreTodos message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a StoreTodos message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns StoreTodos
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.StoreTodos;

            /**
             * Creates a plain object from a StoreTodos message. Also converts values to other types if specified.
             * @param message StoreTodos
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.StoreTodos, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this StoreTodos to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for StoreTodos
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace StoreTodos {

            /** Properties of a StoreTodos. */
            interface $Properties {

                /** StoreTodos todos */
                todos?: (tillbridge.v1.StoreTodo.$Properties[]|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a StoreTodos. */
            type $Shape = tillbridge.v1.StoreTodos.$Properties;
        }

        /**
         * Properties of a StoreTodo.
         * @deprecated Use tillbridge.v1.StoreTodo.$Properties instead.
         */
        interface IStoreTodo extends tillbridge.v1.StoreTodo.$Properties {
        }

        /** Represents a StoreTodo. */
        class StoreTodo {

            /**
             * Constructs a new StoreTodo.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.StoreTodo.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** StoreTodo terminalId. */
            terminalId: string;

            /** StoreTodo sinceMs. */
            sinceMs: number;

            /** StoreTodo reason. */
            reason: string;

            /**
             * Encodes the specified StoreTodo message. Does not implicitly {@link tillbridge.v1.StoreTodo.verify|verify} messages.
             * @param message StoreTodo message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.StoreTodo.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a StoreTodo message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.StoreTodo & tillbridge.v1.StoreTodo.$Shape} StoreTodo
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.StoreTodo & tillbridge.v1.StoreTodo.$Shape;

            /**
             * Verifies a StoreTodo message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a StoreTodo message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns StoreTodo
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.StoreTodo;

            /**
             * Creates a plain object from a StoreTodo message. Also converts values to other types if specified.
             * @param message StoreTodo
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.StoreTodo, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this StoreTodo to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for StoreTodo
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace StoreTodo {

            /** Properties of a StoreTodo. */
            interface $Properties {

                /** StoreTodo terminalId */
                terminalId?: (string|null);

                /** StoreTodo sinceMs */
                sinceMs?: (number|null);

                /** StoreTodo reason */
                reason?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a StoreTodo. */
            type $Shape = tillbridge.v1.StoreTodo.$Properties;
        }

        /**
         * Properties of a Money.
         * @deprecated Use tillbridge.v1.Money.$Properties instead.
         */
        interface IMoney extends tillbridge.v1.Money.$Properties {
        }

        /** Represents a Money. */
        class Money {

            /**
             * Constructs a new Money.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Money.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Money minor. */
            minor: number;

            /** Money currency. */
            currency: string;

            /**
             * Encodes the specified Money message. Does not implicitly {@link tillbridge.v1.Money.verify|verify} messages.
             * @param message Money message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Money.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Money message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Money & tillbridge.v1.Money.$Shape} Money
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Money & tillbridge.v1.Money.$Shape;

            /**
             * Verifies a Money message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Money message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Money
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Money;

            /**
             * Creates a plain object from a Money message. Also converts values to other types if specified.
             * @param message Money
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Money, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Money to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Money
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Money {

            /** Properties of a Money. */
            interface $Properties {

                /** Money minor */
                minor?: (number|null);

                /** Money currency */
                currency?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Money. */
            type $Shape = tillbridge.v1.Money.$Properties;
        }

        /** SaleType enum. */
        enum SaleType {

            /** SALE_TYPE_UNSPECIFIED value */
            SALE_TYPE_UNSPECIFIED = 0,

            /** SALE value */
            SALE = 1,

            /** REFUND value */
            REFUND = 2,

            /** PREAUTHORIZATION value */
            PREAUTHORIZATION = 3
        }

        /**
         * Properties of an Enciphered.
         * @deprecated Use tillbridge.v1.Enciphered.$Properties instead.
         */
        interface IEnciphered extends tillbridge.v1.Enciphered.$Properties {
        }

        /** Represents an Enciphered. */
        class Enciphered {

            /**
             * Constructs a new Enciphered.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Enciphered.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Enciphered data. */
            data: Uint8Array;

            /** Enciphered ksn. */
            ksn: Uint8Array;

            /**
             * Encodes the specified Enciphered message. Does not implicitly {@link tillbridge.v1.Enciphered.verify|verify} messages.
             * @param message Enciphered message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Enciphered.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an Enciphered message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Enciphered & tillbridge.v1.Enciphered.$Shape} Enciphered
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Enciphered & tillbridge.v1.Enciphered.$Shape;

            /**
             * Verifies an Enciphered message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an Enciphered message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Enciphered
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Enciphered;

            /**
             * Creates a plain object from an Enciphered message. Also converts values to other types if specified.
             * @param message Enciphered
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Enciphered, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Enciphered to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Enciphered
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Enciphered {

            /** Properties of an Enciphered. */
            interface $Properties {

                /** Enciphered data */
                data?: (Uint8Array|null);

                /** Enciphered ksn */
                ksn?: (Uint8Array|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an Enciphered. */
            type $Shape = tillbridge.v1.Enciphered.$Properties;
        }

        /**
         * Properties of a PosData.
         * @deprecated Use tillbridge.v1.PosData.$Properties instead.
         */
        interface IPosData extends tillbridge.v1.PosData.$Properties {
        }

        /** Represents a PosData. */
        class PosData {

            /**
             * Constructs a new PosData.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.PosData.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** PosData terminalId. */
            terminalId: string;

            /** PosData deviceType. */
            deviceType: string;

            /** PosData deviceId. */
            deviceId: string;

            /** PosData entryMode. */
            entryMode: string;

            /** PosData panSequenceNumber. */
            panSequenceNumber: string;

            /** PosData transactionSequenceNumber. */
            transactionSequenceNumber: number;

            /** PosData pinEntryAvailable. */
            pinEntryAvailable: boolean;

            /** PosData iccData. */
            iccData: Uint8Array;

            /** PosData sred. */
            sred?: (tillbridge.v1.Enciphered.$Properties|null);

            /** PosData pin. */
            pin?: (tillbridge.v1.Enciphered.$Properties|null);

            /** PosData expiry. */
            expiry: string;

            /**
             * Encodes the specified PosData message. Does not implicitly {@link tillbridge.v1.PosData.verify|verify} messages.
             * @param message PosData message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.PosData.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a PosData message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.PosData & tillbridge.v1.PosData.$Shape} PosData
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.PosData & tillbridge.v1.PosData.$Shape;

            /**
             * Verifies a PosData message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a PosData message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns PosData
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.PosData;

            /**
             * Creates a plain object from a PosData message. Also converts values to other types if specified.
             * @param message PosData
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.PosData, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this PosData to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for PosData
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace PosData {

            /** Properties of a PosData. */
            interface $Properties {

                /** PosData terminalId */
                terminalId?: (string|null);

                /** PosData deviceType */
                deviceType?: (string|null);

                /** PosData deviceId */
                deviceId?: (string|null);

                /** PosData entryMode */
                entryMode?: (string|null);

                /** PosData panSequenceNumber */
                panSequenceNumber?: (string|null);

                /** PosData transactionSequenceNumber */
                transactionSequenceNumber?: (number|null);

                /** PosData pinEntryAvailable */
                pinEntryAvailable?: (boolean|null);

                /** PosData iccData */
                iccData?: (Uint8Array|null);

                /** PosData sred */
                sred?: (tillbridge.v1.Enciphered.$Properties|null);

                /** PosData pin */
                pin?: (tillbridge.v1.Enciphered.$Properties|null);

                /** PosData expiry */
                expiry?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a PosData. */
            type $Shape = tillbridge.v1.PosData.$Properties;
        }

        /**
         * Properties of an AuthorizationRequest.
         * @deprecated Use tillbridge.v1.AuthorizationRequest.$Properties instead.
         */
        interface IAuthorizationRequest extends tillbridge.v1.AuthorizationRequest.$Properties {
        }

        /** Represents an AuthorizationRequest. */
        class AuthorizationRequest {

            /**
             * Constructs a new AuthorizationRequest.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.AuthorizationRequest.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** AuthorizationRequest reference. */
            reference: string;

            /** AuthorizationRequest type. */
            type: tillbridge.v1.SaleType;

            /** AuthorizationRequest amount. */
            amount?: (tillbridge.v1.Money.$Properties|null);

            /** AuthorizationRequest pos. */
            pos?: (tillbridge.v1.PosData.$Properties|null);

            /** AuthorizationRequest originalMessageId. */
            originalMessageId: string;

            /** AuthorizationRequest journaledAtMs. */
            journaledAtMs: number;

            /** AuthorizationRequest partialAllowed. */
            partialAllowed: boolean;

            /** AuthorizationRequest tip. */
            tip?: (tillbridge.v1.Money.$Properties|null);

            /** AuthorizationRequest cashBack. */
            cashBack?: (tillbridge.v1.Money.$Properties|null);

            /**
             * Encodes the specified AuthorizationRequest message. Does not implicitly {@link tillbridge.v1.AuthorizationRequest.verify|verify} messages.
             * @param message AuthorizationRequest message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.AuthorizationRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an AuthorizationRequest message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.AuthorizationRequest & tillbridge.v1.AuthorizationRequest.$Shape} AuthorizationRequest
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.AuthorizationRequest & tillbridge.v1.AuthorizationRequest.$Shape;

            /**
             * Verifies an AuthorizationRequest message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an AuthorizationRequest message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns AuthorizationRequest
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.AuthorizationRequest;

            /**
             * Creates a plain object from an AuthorizationRequest message. Also converts values to other types if specified.
             * @param message AuthorizationRequest
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.AuthorizationRequest, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this AuthorizationRequest to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for AuthorizationRequest
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace AuthorizationRequest {

            /** Properties of an AuthorizationRequest. */
            interface $Properties {

                /** AuthorizationRequest reference */
                reference?: (string|null);

                /** AuthorizationRequest type */
                type?: (tillbridge.v1.SaleType|null);

                /** AuthorizationRequest amount */
                amount?: (tillbridge.v1.Money.$Properties|null);

                /** AuthorizationRequest pos */
                pos?: (tillbridge.v1.PosData.$Properties|null);

                /** AuthorizationRequest originalMessageId */
                originalMessageId?: (string|null);

                /** AuthorizationRequest journaledAtMs */
                journaledAtMs?: (number|null);

                /** AuthorizationRequest partialAllowed */
                partialAllowed?: (boolean|null);

                /** AuthorizationRequest tip */
                tip?: (tillbridge.v1.Money.$Properties|null);

                /** AuthorizationRequest cashBack */
                cashBack?: (tillbridge.v1.Money.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an AuthorizationRequest. */
            type $Shape = tillbridge.v1.AuthorizationRequest.$Properties;
        }

        /**
         * Properties of an Outcome.
         * @deprecated Use tillbridge.v1.Outcome.$Properties instead.
         */
        interface IOutcome extends tillbridge.v1.Outcome.$Properties {
        }

        /** Represents an Outcome. */
        class Outcome {

            /**
             * Constructs a new Outcome.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Outcome.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Outcome disposition. */
            disposition: tillbridge.v1.Outcome.Disposition;

            /** Outcome paymentId. */
            paymentId: string;

            /** Outcome resultCode. */
            resultCode: string;

            /** Outcome description. */
            description: string;

            /** Outcome amount. */
            amount?: (tillbridge.v1.Money.$Properties|null);

            /** Outcome approvalCode. */
            approvalCode: string;

            /** Outcome responseCode. */
            responseCode: string;

            /** Outcome iccDataResponse. */
            iccDataResponse: Uint8Array;

            /** Outcome brand. */
            brand: string;

            /** Outcome availableBalance. */
            availableBalance?: (tillbridge.v1.Money.$Properties|null);

            /** Outcome cashBack. */
            cashBack?: (tillbridge.v1.Money.$Properties|null);

            /**
             * Encodes the specified Outcome message. Does not implicitly {@link tillbridge.v1.Outcome.verify|verify} messages.
             * @param message Outcome message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Outcome.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an Outcome message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Outcome & tillbridge.v1.Outcome.$Shape} Outcome
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Outcome & tillbridge.v1.Outcome.$Shape;

            /**
             * Verifies an Outcome message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an Outcome message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Outcome
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Outcome;

            /**
             * Creates a plain object from an Outcome message. Also converts values to other types if specified.
             * @param message Outcome
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Outcome, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Outcome to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Outcome
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Outcome {

            /** Properties of an Outcome. */
            interface $Properties {

                /** Outcome disposition */
                disposition?: (tillbridge.v1.Outcome.Disposition|null);

                /** Outcome paymentId */
                paymentId?: (string|null);

                /** Outcome resultCode */
                resultCode?: (string|null);

                /** Outcome description */
                description?: (string|null);

                /** Outcome amount */
                amount?: (tillbridge.v1.Money.$Properties|null);

                /** Outcome approvalCode */
                approvalCode?: (string|null);

                /** Outcome responseCode */
                responseCode?: (string|null);

                /** Outcome iccDataResponse */
                iccDataResponse?: (Uint8Array|null);

                /** Outcome brand */
                brand?: (string|null);

                /** Outcome availableBalance */
                availableBalance?: (tillbridge.v1.Money.$Properties|null);

                /** Outcome cashBack */
                cashBack?: (tillbridge.v1.Money.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an Outcome. */
            type $Shape = tillbridge.v1.Outcome.$Properties;

            /** Disposition enum. */
            enum Disposition {

                /** DISPOSITION_UNSPECIFIED value */
                DISPOSITION_UNSPECIFIED = 0,

                /** APPROVED value */
                APPROVED = 1,

                /** DECLINED value */
                DECLINED = 2,

                /** REVERSED value */
                REVERSED = 3,

                /** NOTHING_TO_REVERSE value */
                NOTHING_TO_REVERSE = 4,

                /** REFUSED value */
                REFUSED = 5
            }
        }

        /**
         * Properties of an AuthorizationAnswer.
         * @deprecated Use tillbridge.v1.AuthorizationAnswer.$Properties instead.
         */
        interface IAuthorizationAnswer extends tillbridge.v1.AuthorizationAnswer.$Properties {
        }

        /** Represents an AuthorizationAnswer. */
        class AuthorizationAnswer {

            /**
             * Constructs a new AuthorizationAnswer.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.AuthorizationAnswer.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** AuthorizationAnswer messageId. */
            messageId: string;

            /** AuthorizationAnswer outcome. */
            outcome?: (tillbridge.v1.Outcome.$Properties|null);

            /**
             * Encodes the specified AuthorizationAnswer message. Does not implicitly {@link tillbridge.v1.AuthorizationAnswer.verify|verify} messages.
             * @param message AuthorizationAnswer message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.AuthorizationAnswer.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an AuthorizationAnswer message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.AuthorizationAnswer & tillbridge.v1.AuthorizationAnswer.$Shape} AuthorizationAnswer
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.AuthorizationAnswer & tillbridge.v1.AuthorizationAnswer.$Shape;

            /**
             * Verifies an AuthorizationAnswer message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an AuthorizationAnswer message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns AuthorizationAnswer
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.AuthorizationAnswer;

            /**
             * Creates a plain object from an AuthorizationAnswer message. Also converts values to other types if specified.
             * @param message AuthorizationAnswer
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.AuthorizationAnswer, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this AuthorizationAnswer to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for AuthorizationAnswer
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace AuthorizationAnswer {

            /** Properties of an AuthorizationAnswer. */
            interface $Properties {

                /** AuthorizationAnswer messageId */
                messageId?: (string|null);

                /** AuthorizationAnswer outcome */
                outcome?: (tillbridge.v1.Outcome.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an AuthorizationAnswer. */
            type $Shape = tillbridge.v1.AuthorizationAnswer.$Properties;
        }

        /**
         * Properties of a StatusRequest.
         * @deprecated Use tillbridge.v1.StatusRequest.$Properties instead.
         */
        interface IStatusRequest extends tillbridge.v1.StatusRequest.$Properties {
        }

        /** Represents a StatusRequest. */
        class StatusRequest {

            /**
             * Constructs a new StatusRequest.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.StatusRequest.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** StatusRequest messageId. */
            messageId: string;

            /**
             * Encodes the specified StatusRequest message. Does not implicitly {@link tillbridge.v1.StatusRequest.verify|verify} messages.
             * @param message StatusRequest message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.StatusRequest.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a StatusRequest message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.StatusRequest & tillbridge.v1.StatusRequest.$Shape} StatusRequest
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.StatusRequest & tillbridge.v1.StatusRequest.$Shape;

            /**
             * Verifies a StatusRequest message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a StatusRequest message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns StatusRequest
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.StatusRequest;

            /**
             * Creates a plain object from a StatusRequest message. Also converts values to other types if specified.
             * @param message StatusRequest
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.StatusRequest, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this StatusRequest to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for StatusRequest
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace StatusRequest {

            /** Properties of a StatusRequest. */
            interface $Properties {

                /** StatusRequest messageId */
                messageId?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a StatusRequest. */
            type $Shape = tillbridge.v1.StatusRequest.$Properties;
        }

        /**
         * Properties of a StatusAnswer.
         * @deprecated Use tillbridge.v1.StatusAnswer.$Properties instead.
         */
        interface IStatusAnswer extends tillbridge.v1.StatusAnswer.$Properties {
        }

        /** Represents a StatusAnswer. */
        class StatusAnswer {

            /**
             * Constructs a new StatusAnswer.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.StatusAnswer.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** StatusAnswer messageId. */
            messageId: string;

            /** StatusAnswer state. */
            state: tillbridge.v1.StatusAnswer.State;

            /** StatusAnswer outcome. */
            outcome?: (tillbridge.v1.Outcome.$Properties|null);

            /**
             * Encodes the specified StatusAnswer message. Does not implicitly {@link tillbridge.v1.StatusAnswer.verify|verify} messages.
             * @param message StatusAnswer message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.StatusAnswer.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a StatusAnswer message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.StatusAnswer & tillbridge.v1.StatusAnswer.$Shape} StatusAnswer
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.StatusAnswer & tillbridge.v1.StatusAnswer.$Shape;

            /**
             * Verifies a StatusAnswer message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a StatusAnswer message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns StatusAnswer
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.StatusAnswer;

            /**
             * Creates a plain object from a StatusAnswer message. Also converts values to other types if specified.
             * @param message StatusAnswer
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.StatusAnswer, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this StatusAnswer to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for StatusAnswer
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace StatusAnswer {

            /** Properties of a StatusAnswer. */
            interface $Properties {

                /** StatusAnswer messageId */
                messageId?: (string|null);

                /** StatusAnswer state */
                state?: (tillbridge.v1.StatusAnswer.State|null);

                /** StatusAnswer outcome */
                outcome?: (tillbridge.v1.Outcome.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a StatusAnswer. */
            type $Shape = tillbridge.v1.StatusAnswer.$Properties;

            /** State enum. */
            enum State {

                /** STATE_UNSPECIFIED value */
                STATE_UNSPECIFIED = 0,

                /** NOT_SEEN value */
                NOT_SEEN = 1,

                /** IN_PROGRESS value */
                IN_PROGRESS = 2,

                /** ANSWERED value */
                ANSWERED = 3,

                /** TOMBSTONED value */
                TOMBSTONED = 4
            }
        }

        /**
         * Properties of a Reversal.
         * @deprecated Use tillbridge.v1.Reversal.$Properties instead.
         */
        interface IReversal extends tillbridge.v1.Reversal.$Properties {
        }

        /** Represents a Reversal. */
        class Reversal {

            /**
             * Constructs a new Reversal.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Reversal.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Reversal originalMessageId. */
            originalMessageId: string;

            /** Reversal reference. */
            reference: string;

            /** Reversal amount. */
            amount?: (tillbridge.v1.Money.$Properties|null);

            /** Reversal reason. */
            reason: string;

            /** Reversal iccData. */
            iccData: Uint8Array;

            /**
             * Encodes the specified Reversal message. Does not implicitly {@link tillbridge.v1.Reversal.verify|verify} messages.
             * @param message Reversal message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Reversal.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Reversal message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Reversal & tillbridge.v1.Reversal.$Shape} Reversal
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Reversal & tillbridge.v1.Reversal.$Shape;

            /**
             * Verifies a Reversal message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Reversal message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Reversal
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Reversal;

            /**
             * Creates a plain object from a Reversal message. Also converts values to other types if specified.
             * @param message Reversal
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Reversal, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Reversal to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Reversal
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Reversal {

            /** Properties of a Reversal. */
            interface $Properties {

                /** Reversal originalMessageId */
                originalMessageId?: (string|null);

                /** Reversal reference */
                reference?: (string|null);

                /** Reversal amount */
                amount?: (tillbridge.v1.Money.$Properties|null);

                /** Reversal reason */
                reason?: (string|null);

                /** Reversal iccData */
                iccData?: (Uint8Array|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Reversal. */
            type $Shape = tillbridge.v1.Reversal.$Properties;
        }

        /**
         * Properties of a CancelIfUnseen.
         * @deprecated Use tillbridge.v1.CancelIfUnseen.$Properties instead.
         */
        interface ICancelIfUnseen extends tillbridge.v1.CancelIfUnseen.$Properties {
        }

        /** Represents a CancelIfUnseen. */
        class CancelIfUnseen {

            /**
             * Constructs a new CancelIfUnseen.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.CancelIfUnseen.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** CancelIfUnseen originalMessageId. */
            originalMessageId: string;

            /** CancelIfUnseen reference. */
            reference: string;

            /**
             * Encodes the specified CancelIfUnseen message. Does not implicitly {@link tillbridge.v1.CancelIfUnseen.verify|verify} messages.
             * @param message CancelIfUnseen message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.CancelIfUnseen.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a CancelIfUnseen message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.CancelIfUnseen & tillbridge.v1.CancelIfUnseen.$Shape} CancelIfUnseen
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.CancelIfUnseen & tillbridge.v1.CancelIfUnseen.$Shape;

            /**
             * Verifies a CancelIfUnseen message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a CancelIfUnseen message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns CancelIfUnseen
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.CancelIfUnseen;

            /**
             * Creates a plain object from a CancelIfUnseen message. Also converts values to other types if specified.
             * @param message CancelIfUnseen
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.CancelIfUnseen, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this CancelIfUnseen to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for CancelIfUnseen
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace CancelIfUnseen {

            /** Properties of a CancelIfUnseen. */
            interface $Properties {

                /** CancelIfUnseen originalMessageId */
                originalMessageId?: (string|null);

                /** CancelIfUnseen reference */
                reference?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a CancelIfUnseen. */
            type $Shape = tillbridge.v1.CancelIfUnseen.$Properties;
        }

        /**
         * Properties of an OfflineRecord.
         * @deprecated Use tillbridge.v1.OfflineRecord.$Properties instead.
         */
        interface IOfflineRecord extends tillbridge.v1.OfflineRecord.$Properties {
        }

        /** Represents an OfflineRecord. */
        class OfflineRecord {

            /**
             * Constructs a new OfflineRecord.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.OfflineRecord.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** OfflineRecord kind. */
            kind: tillbridge.v1.OfflineRecord.Kind;

            /** OfflineRecord reference. */
            reference: string;

            /** OfflineRecord type. */
            type: tillbridge.v1.SaleType;

            /** OfflineRecord amount. */
            amount?: (tillbridge.v1.Money.$Properties|null);

            /** OfflineRecord pos. */
            pos?: (tillbridge.v1.PosData.$Properties|null);

            /** OfflineRecord decidedAtMs. */
            decidedAtMs: number;

            /** OfflineRecord expired. */
            expired: boolean;

            /** OfflineRecord ageMs. */
            ageMs: number;

            /** OfflineRecord tip. */
            tip?: (tillbridge.v1.Money.$Properties|null);

            /**
             * Encodes the specified OfflineRecord message. Does not implicitly {@link tillbridge.v1.OfflineRecord.verify|verify} messages.
             * @param message OfflineRecord message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.OfflineRecord.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an OfflineRecord message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.OfflineRecord & tillbridge.v1.OfflineRecord.$Shape} OfflineRecord
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.OfflineRecord & tillbridge.v1.OfflineRecord.$Shape;

            /**
             * Verifies an OfflineRecord message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an OfflineRecord message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns OfflineRecord
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.OfflineRecord;

            /**
             * Creates a plain object from an OfflineRecord message. Also converts values to other types if specified.
             * @param message OfflineRecord
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.OfflineRecord, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this OfflineRecord to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for OfflineRecord
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace OfflineRecord {

            /** Properties of an OfflineRecord. */
            interface $Properties {

                /** OfflineRecord kind */
                kind?: (tillbridge.v1.OfflineRecord.Kind|null);

                /** OfflineRecord reference */
                reference?: (string|null);

                /** OfflineRecord type */
                type?: (tillbridge.v1.SaleType|null);

                /** OfflineRecord amount */
                amount?: (tillbridge.v1.Money.$Properties|null);

                /** OfflineRecord pos */
                pos?: (tillbridge.v1.PosData.$Properties|null);

                /** OfflineRecord decidedAtMs */
                decidedAtMs?: (number|null);

                /** OfflineRecord expired */
                expired?: (boolean|null);

                /** OfflineRecord ageMs */
                ageMs?: (number|null);

                /** OfflineRecord tip */
                tip?: (tillbridge.v1.Money.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an OfflineRecord. */
            type $Shape = tillbridge.v1.OfflineRecord.$Properties;

            /** Kind enum. */
            enum Kind {

                /** KIND_UNSPECIFIED value */
                KIND_UNSPECIFIED = 0,

                /** CARD_APPROVED value */
                CARD_APPROVED = 1,

                /** DEFERRED value */
                DEFERRED = 2
            }
        }

        /**
         * Properties of a Capture.
         * @deprecated Use tillbridge.v1.Capture.$Properties instead.
         */
        interface ICapture extends tillbridge.v1.Capture.$Properties {
        }

        /** Represents a Capture. */
        class Capture {

            /**
             * Constructs a new Capture.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Capture.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Capture originalMessageId. */
            originalMessageId: string;

            /** Capture reference. */
            reference: string;

            /** Capture amount. */
            amount?: (tillbridge.v1.Money.$Properties|null);

            /** Capture final. */
            final: boolean;

            /**
             * Encodes the specified Capture message. Does not implicitly {@link tillbridge.v1.Capture.verify|verify} messages.
             * @param message Capture message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Capture.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Capture message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Capture & tillbridge.v1.Capture.$Shape} Capture
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Capture & tillbridge.v1.Capture.$Shape;

            /**
             * Verifies a Capture message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Capture message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Capture
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Capture;

            /**
             * Creates a plain object from a Capture message. Also converts values to other types if specified.
             * @param message Capture
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Capture, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Capture to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Capture
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Capture {

            /** Properties of a Capture. */
            interface $Properties {

                /** Capture originalMessageId */
                originalMessageId?: (string|null);

                /** Capture reference */
                reference?: (string|null);

                /** Capture amount */
                amount?: (tillbridge.v1.Money.$Properties|null);

                /** Capture final */
                final?: (boolean|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Capture. */
            type $Shape = tillbridge.v1.Capture.$Properties;
        }

        /**
         * Properties of a VoiceAuthorization.
         * @deprecated Use tillbridge.v1.VoiceAuthorization.$Properties instead.
         */
        interface IVoiceAuthorization extends tillbridge.v1.VoiceAuthorization.$Properties {
        }

        /** Represents a VoiceAuthorization. */
        class VoiceAuthorization {

            /**
             * Constructs a new VoiceAuthorization.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.VoiceAuthorization.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** VoiceAuthorization originalMessageId. */
            originalMessageId: string;

            /** VoiceAuthorization reference. */
            reference: string;

            /** VoiceAuthorization amount. */
            amount?: (tillbridge.v1.Money.$Properties|null);

            /** VoiceAuthorization approvalCode. */
            approvalCode: string;

            /** VoiceAuthorization type. */
            type: tillbridge.v1.SaleType;

            /**
             * Encodes the specified VoiceAuthorization message. Does not implicitly {@link tillbridge.v1.VoiceAuthorization.verify|verify} messages.
             * @param message VoiceAuthorization message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.VoiceAuthorization.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a VoiceAuthorization message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.VoiceAuthorization & tillbridge.v1.VoiceAuthorization.$Shape} VoiceAuthorization
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.VoiceAuthorization & tillbridge.v1.VoiceAuthorization.$Shape;

            /**
             * Verifies a VoiceAuthorization message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a VoiceAuthorization message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns VoiceAuthorization
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.VoiceAuthorization;

            /**
             * Creates a plain object from a VoiceAuthorization message. Also converts values to other types if specified.
             * @param message VoiceAuthorization
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.VoiceAuthorization, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this VoiceAuthorization to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for VoiceAuthorization
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace VoiceAuthorization {

            /** Properties of a VoiceAuthorization. */
            interface $Properties {

                /** VoiceAuthorization originalMessageId */
                originalMessageId?: (string|null);

                /** VoiceAuthorization reference */
                reference?: (string|null);

                /** VoiceAuthorization amount */
                amount?: (tillbridge.v1.Money.$Properties|null);

                /** VoiceAuthorization approvalCode */
                approvalCode?: (string|null);

                /** VoiceAuthorization type */
                type?: (tillbridge.v1.SaleType|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a VoiceAuthorization. */
            type $Shape = tillbridge.v1.VoiceAuthorization.$Properties;
        }

        /**
         * Properties of an Acknowledgement.
         * @deprecated Use tillbridge.v1.Acknowledgement.$Properties instead.
         */
        interface IAcknowledgement extends tillbridge.v1.Acknowledgement.$Properties {
        }

        /** Represents an Acknowledgement. */
        class Acknowledgement {

            /**
             * Constructs a new Acknowledgement.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Acknowledgement.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Acknowledgement messageId. */
            messageId: string;

            /** Acknowledgement outcome. */
            outcome?: (tillbridge.v1.Outcome.$Properties|null);

            /**
             * Encodes the specified Acknowledgement message. Does not implicitly {@link tillbridge.v1.Acknowledgement.verify|verify} messages.
             * @param message Acknowledgement message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Acknowledgement.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes an Acknowledgement message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Acknowledgement & tillbridge.v1.Acknowledgement.$Shape} Acknowledgement
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Acknowledgement & tillbridge.v1.Acknowledgement.$Shape;

            /**
             * Verifies an Acknowledgement message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates an Acknowledgement message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Acknowledgement
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Acknowledgement;

            /**
             * Creates a plain object from an Acknowledgement message. Also converts values to other types if specified.
             * @param message Acknowledgement
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Acknowledgement, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Acknowledgement to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Acknowledgement
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Acknowledgement {

            /** Properties of an Acknowledgement. */
            interface $Properties {

                /** Acknowledgement messageId */
                messageId?: (string|null);

                /** Acknowledgement outcome */
                outcome?: (tillbridge.v1.Outcome.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of an Acknowledgement. */
            type $Shape = tillbridge.v1.Acknowledgement.$Properties;
        }

        /**
         * Properties of a Parked.
         * @deprecated Use tillbridge.v1.Parked.$Properties instead.
         */
        interface IParked extends tillbridge.v1.Parked.$Properties {
        }

        /** Represents a Parked. */
        class Parked {

            /**
             * Constructs a new Parked.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Parked.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Parked messageId. */
            messageId: string;

            /** Parked reasonCode. */
            reasonCode: string;

            /** Parked reason. */
            reason: string;

            /**
             * Encodes the specified Parked message. Does not implicitly {@link tillbridge.v1.Parked.verify|verify} messages.
             * @param message Parked message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Parked.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Parked message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Parked & tillbridge.v1.Parked.$Shape} Parked
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Parked & tillbridge.v1.Parked.$Shape;

            /**
             * Verifies a Parked message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Parked message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Parked
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Parked;

            /**
             * Creates a plain object from a Parked message. Also converts values to other types if specified.
             * @param message Parked
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Parked, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Parked to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Parked
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Parked {

            /** Properties of a Parked. */
            interface $Properties {

                /** Parked messageId */
                messageId?: (string|null);

                /** Parked reasonCode */
                reasonCode?: (string|null);

                /** Parked reason */
                reason?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Parked. */
            type $Shape = tillbridge.v1.Parked.$Properties;
        }

        /**
         * Properties of a Command.
         * @deprecated Use tillbridge.v1.Command.$Properties instead.
         */
        interface ICommand extends tillbridge.v1.Command.$Properties {
        }

        /** Represents a Command. */
        class Command {

            /**
             * Constructs a new Command.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.Command.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** Command action. */
            action: tillbridge.v1.Command.Action;

            /** Command reference. */
            reference: string;

            /**
             * Encodes the specified Command message. Does not implicitly {@link tillbridge.v1.Command.verify|verify} messages.
             * @param message Command message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.Command.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a Command message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.Command & tillbridge.v1.Command.$Shape} Command
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.Command & tillbridge.v1.Command.$Shape;

            /**
             * Verifies a Command message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a Command message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns Command
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.Command;

            /**
             * Creates a plain object from a Command message. Also converts values to other types if specified.
             * @param message Command
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.Command, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this Command to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for Command
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace Command {

            /** Properties of a Command. */
            interface $Properties {

                /** Command action */
                action?: (tillbridge.v1.Command.Action|null);

                /** Command reference */
                reference?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a Command. */
            type $Shape = tillbridge.v1.Command.$Properties;

            /** Action enum. */
            enum Action {

                /** ACTION_UNSPECIFIED value */
                ACTION_UNSPECIFIED = 0,

                /** PING value */
                PING = 1,

                /** FLUSH value */
                FLUSH = 2,

                /** STATUS value */
                STATUS = 3,

                /** CANCEL_SALE value */
                CANCEL_SALE = 4
            }
        }

        /**
         * Properties of a CommandResult.
         * @deprecated Use tillbridge.v1.CommandResult.$Properties instead.
         */
        interface ICommandResult extends tillbridge.v1.CommandResult.$Properties {
        }

        /** Represents a CommandResult. */
        class CommandResult {

            /**
             * Constructs a new CommandResult.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.CommandResult.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** CommandResult commandId. */
            commandId: string;

            /** CommandResult state. */
            state: tillbridge.v1.CommandResult.State;

            /** CommandResult reasonCode. */
            reasonCode: string;

            /** CommandResult reason. */
            reason: string;

            /** CommandResult status. */
            status?: (tillbridge.v1.Heartbeat.$Properties|null);

            /** CommandResult saleState. */
            saleState: string;

            /** CommandResult saleOutcome. */
            saleOutcome: string;

            /** CommandResult saleReport. */
            saleReport?: (tillbridge.v1.SaleReport.$Properties|null);

            /**
             * Encodes the specified CommandResult message. Does not implicitly {@link tillbridge.v1.CommandResult.verify|verify} messages.
             * @param message CommandResult message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.CommandResult.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a CommandResult message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.CommandResult & tillbridge.v1.CommandResult.$Shape} CommandResult
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.CommandResult & tillbridge.v1.CommandResult.$Shape;

            /**
             * Verifies a CommandResult message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a CommandResult message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns CommandResult
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.CommandResult;

            /**
             * Creates a plain object from a CommandResult message. Also converts values to other types if specified.
             * @param message CommandResult
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.CommandResult, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this CommandResult to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for CommandResult
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace CommandResult {

            /** Properties of a CommandResult. */
            interface $Properties {

                /** CommandResult commandId */
                commandId?: (string|null);

                /** CommandResult state */
                state?: (tillbridge.v1.CommandResult.State|null);

                /** CommandResult reasonCode */
                reasonCode?: (string|null);

                /** CommandResult reason */
                reason?: (string|null);

                /** CommandResult status */
                status?: (tillbridge.v1.Heartbeat.$Properties|null);

                /** CommandResult saleState */
                saleState?: (string|null);

                /** CommandResult saleOutcome */
                saleOutcome?: (string|null);

                /** CommandResult saleReport */
                saleReport?: (tillbridge.v1.SaleReport.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a CommandResult. */
            type $Shape = tillbridge.v1.CommandResult.$Properties;

            /** State enum. */
            enum State {

                /** STATE_UNSPECIFIED value */
                STATE_UNSPECIFIED = 0,

                /** DONE value */
                DONE = 1,

                /** REFUSED value */
                REFUSED = 2
            }
        }

        /**
         * Properties of a SaleReport.
         * @deprecated Use tillbridge.v1.SaleReport.$Properties instead.
         */
        interface ISaleReport extends tillbridge.v1.SaleReport.$Properties {
        }

        /** Represents a SaleReport. */
        class SaleReport {

            /**
             * Constructs a new SaleReport.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.SaleReport.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** SaleReport timeMs. */
            timeMs: number;

            /** SaleReport rows. */
            rows: tillbridge.v1.SaleReportRow.$Properties[];

            /** SaleReport frames. */
            frames: tillbridge.v1.SaleReportFrame.$Properties[];

            /** SaleReport lineIsRecorded. */
            lineIsRecorded: boolean;

            /** SaleReport incomplete. */
            incomplete: boolean;

            /**
             * Encodes the specified SaleReport message. Does not implicitly {@link tillbridge.v1.SaleReport.verify|verify} messages.
             * @param message SaleReport message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.SaleReport.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a SaleReport message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.SaleReport & tillbridge.v1.SaleReport.$Shape} SaleReport
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.SaleReport & tillbridge.v1.SaleReport.$Shape;

            /**
             * Verifies a SaleReport message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a SaleReport message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns SaleReport
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.SaleReport;

            /**
             * Creates a plain object from a SaleReport message. Also converts values to other types if specified.
             * @param message SaleReport
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.SaleReport, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this SaleReport to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for SaleReport
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace SaleReport {

            /** Properties of a SaleReport. */
            interface $Properties {

                /** SaleReport timeMs */
                timeMs?: (number|null);

                /** SaleReport rows */
                rows?: (tillbridge.v1.SaleReportRow.$Properties[]|null);

                /** SaleReport frames */
                frames?: (tillbridge.v1.SaleReportFrame.$Properties[]|null);

                /** SaleReport lineIsRecorded */
                lineIsRecorded?: (boolean|null);

                /** SaleReport incomplete */
                incomplete?: (boolean|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a SaleReport. */
            type $Shape = tillbridge.v1.SaleReport.$Properties;
        }

        /**
         * Properties of a SaleReportRow.
         * @deprecated Use tillbridge.v1.SaleReportRow.$Properties instead.
         */
        interface ISaleReportRow extends tillbridge.v1.SaleReportRow.$Properties {
        }

        /** Represents a SaleReportRow. */
        class SaleReportRow {

            /**
             * Constructs a new SaleReportRow.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.SaleReportRow.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** SaleReportRow row. */
            row: number;

            /** SaleReportRow atMs. */
            atMs: number;

            /** SaleReportRow terminalId. */
            terminalId: string;

            /** SaleReportRow step. */
            step: string;

            /** SaleReportRow description. */
            description: string;

            /** SaleReportRow till. */
            till: string;

            /** SaleReportRow messageId. */
            messageId: string;

            /** SaleReportRow sequence. */
            sequence: number;

            /** SaleReportRow emv. */
            emv?: (tillbridge.v1.SaleReportEmv.$Properties|null);

            /**
             * Encodes the specified SaleReportRow message. Does not implicitly {@link tillbridge.v1.SaleReportRow.verify|verify} messages.
             * @param message SaleReportRow message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.SaleReportRow.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a SaleReportRow message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.SaleReportRow & tillbridge.v1.SaleReportRow.$Shape} SaleReportRow
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.SaleReportRow & tillbridge.v1.SaleReportRow.$Shape;

            /**
             * Verifies a SaleReportRow message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a SaleReportRow message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns SaleReportRow
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.SaleReportRow;

            /**
             * Creates a plain object from a SaleReportRow message. Also converts values to other types if specified.
             * @param message SaleReportRow
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.SaleReportRow, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this SaleReportRow to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for SaleReportRow
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace SaleReportRow {

            /** Properties of a SaleReportRow. */
            interface $Properties {

                /** SaleReportRow row */
                row?: (number|null);

                /** SaleReportRow atMs */
                atMs?: (number|null);

                /** SaleReportRow terminalId */
                terminalId?: (string|null);

                /** SaleReportRow step */
                step?: (string|null);

                /** SaleReportRow description */
                description?: (string|null);

                /** SaleReportRow till */
                till?: (string|null);

                /** SaleReportRow messageId */
                messageId?: (string|null);

                /** SaleReportRow sequence */
                sequence?: (number|null);

                /** SaleReportRow emv */
                emv?: (tillbridge.v1.SaleReportEmv.$Properties|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a SaleReportRow. */
            type $Shape = tillbridge.v1.SaleReportRow.$Properties;
        }

        /**
         * Properties of a SaleReportEmv.
         * @deprecated Use tillbridge.v1.SaleReportEmv.$Properties instead.
         */
        interface ISaleReportEmv extends tillbridge.v1.SaleReportEmv.$Properties {
        }

        /** Represents a SaleReportEmv. */
        class SaleReportEmv {

            /**
             * Constructs a new SaleReportEmv.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.SaleReportEmv.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** SaleReportEmv aid. */
            aid: string;

            /** SaleReportEmv tvr. */
            tvr: string;

            /** SaleReportEmv tsi. */
            tsi: string;

            /** SaleReportEmv acType. */
            acType: string;

            /** SaleReportEmv cvm. */
            cvm: string;

            /** SaleReportEmv arc. */
            arc: string;

            /**
             * Encodes the specified SaleReportEmv message. Does not implicitly {@link tillbridge.v1.SaleReportEmv.verify|verify} messages.
             * @param message SaleReportEmv message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.SaleReportEmv.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a SaleReportEmv message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.SaleReportEmv & tillbridge.v1.SaleReportEmv.$Shape} SaleReportEmv
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.SaleReportEmv & tillbridge.v1.SaleReportEmv.$Shape;

            /**
             * Verifies a SaleReportEmv message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a SaleReportEmv message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns SaleReportEmv
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.SaleReportEmv;

            /**
             * Creates a plain object from a SaleReportEmv message. Also converts values to other types if specified.
             * @param message SaleReportEmv
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.SaleReportEmv, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this SaleReportEmv to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for SaleReportEmv
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace SaleReportEmv {

            /** Properties of a SaleReportEmv. */
            interface $Properties {

                /** SaleReportEmv aid */
                aid?: (string|null);

                /** SaleReportEmv tvr */
                tvr?: (string|null);

                /** SaleReportEmv tsi */
                tsi?: (string|null);

                /** SaleReportEmv acType */
                acType?: (string|null);

                /** SaleReportEmv cvm */
                cvm?: (string|null);

                /** SaleReportEmv arc */
                arc?: (string|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a SaleReportEmv. */
            type $Shape = tillbridge.v1.SaleReportEmv.$Properties;
        }

        /**
         * Properties of a SaleReportFrame.
         * @deprecated Use tillbridge.v1.SaleReportFrame.$Properties instead.
         */
        interface ISaleReportFrame extends tillbridge.v1.SaleReportFrame.$Properties {
        }

        /** Represents a SaleReportFrame. */
        class SaleReportFrame {

            /**
             * Constructs a new SaleReportFrame.
             * @param [properties] Properties to set
             */
            constructor(properties?: tillbridge.v1.SaleReportFrame.$Properties);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];

            /** SaleReportFrame atMs. */
            atMs: number;

            /** SaleReportFrame terminalId. */
            terminalId: string;

            /** SaleReportFrame from. */
            from: string;

            /** SaleReportFrame length. */
            length: number;

            /** SaleReportFrame head. */
            head: Uint8Array;

            /**
             * Encodes the specified SaleReportFrame message. Does not implicitly {@link tillbridge.v1.SaleReportFrame.verify|verify} messages.
             * @param message SaleReportFrame message or plain object to encode
             * @param [writer] Writer to encode to
             * @returns Writer
             */
            static encode(message: tillbridge.v1.SaleReportFrame.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

            /**
             * Decodes a SaleReportFrame message from the specified reader or buffer.
             * @param reader Reader or buffer to decode from
             * @param [length] Message length if known beforehand
             * @returns {tillbridge.v1.SaleReportFrame & tillbridge.v1.SaleReportFrame.$Shape} SaleReportFrame
             * @throws {Error} If the payload is not a reader or valid buffer
             * @throws {$protobuf.util.ProtocolError} If required fields are missing
             */
            static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): tillbridge.v1.SaleReportFrame & tillbridge.v1.SaleReportFrame.$Shape;

            /**
             * Verifies a SaleReportFrame message.
             * @param message Plain object to verify
             * @returns `null` if valid, otherwise the reason why it is not
             */
            static verify(message: { [k: string]: any }): (string|null);

            /**
             * Creates a SaleReportFrame message from a plain object. Also converts values to their respective internal types.
             * @param object Plain object
             * @returns SaleReportFrame
             */
            static fromObject(object: { [k: string]: any }): tillbridge.v1.SaleReportFrame;

            /**
             * Creates a plain object from a SaleReportFrame message. Also converts values to other types if specified.
             * @param message SaleReportFrame
             * @param [options] Conversion options
             * @returns Plain object
             */
            static toObject(message: tillbridge.v1.SaleReportFrame, options?: $protobuf.IConversionOptions): { [k: string]: any };

            /**
             * Converts this SaleReportFrame to JSON.
             * @returns JSON object
             */
            toJSON(): { [k: string]: any };

            /**
             * Gets the type url for SaleReportFrame
             * @param [prefix] Custom type url prefix, defaults to `"type.googleapis.com"`
             * @returns The type url
             */
            static getTypeUrl(prefix?: string): string;
        }

        namespace SaleReportFrame {

            /** Properties of a SaleReportFrame. */
            interface $Properties {

                /** SaleReportFrame atMs */
                atMs?: (number|null);

                /** SaleReportFrame terminalId */
                terminalId?: (string|null);

                /** SaleReportFrame from */
                from?: (string|null);

                /** SaleReportFrame length */
                length?: (number|null);

                /** SaleReportFrame head */
                head?: (Uint8Array|null);

                /** Unknown fields preserved while decoding when enabled */
                $unknowns?: Uint8Array[];
            }

            /** Shape of a SaleReportFrame. */
            type $Shape = tillbridge.v1.SaleReportFrame.$Properties;
        }
    }
}
