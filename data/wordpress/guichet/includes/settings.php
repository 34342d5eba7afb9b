<?php
/** What the owner of the site chose: where the service is, which project is this site's, and where the assistant shows. */

namespace Guichet;

/** Longer answers are no scripts.json. */
const MAX_ANSWER_BYTES = 65536;

/**
 * @return array{address: string, project: string, everywhere: bool}
 */
function settings(): array {
	$stored = get_option( OPTION, array() );
	return array(
		'address'    => (string) ( $stored['address'] ?? '' ),
		'project'    => (string) ( $stored['project'] ?? '' ),
		'everywhere' => (bool) ( $stored['everywhere'] ?? true ),
	);
}

/** Whether there is a service and a project to show anything of. */
function is_set_up(): bool {
	return settings()['address'] !== '' && settings()['project'] !== '';
}

/** Called by WordPress before the settings are stored. A wrong value leaves the one before in place, and is told. */
function sanitized( $typed ): array {
	$typed   = is_array( $typed ) ? $typed : array();
	$present = settings();
	$address = address_of( (string) ( $typed['address'] ?? '' ) );
	$project = trim( (string) ( $typed['project'] ?? '' ) );
	if ( $address === null ) {
		add_settings_error( OPTION, 'address', __( 'Give the address of the service, such as https://guichet.example.org, without a path.', 'guichet' ) );
		$address = $present['address'];
	} elseif ( $address !== '' && ! answers( $address ) ) {
		add_settings_error( OPTION, 'silent', __( 'The settings are saved, but no Guichet answers at this address.', 'guichet' ), 'warning' );
	}
	if ( $project !== '' && ! preg_match( '/^[a-z0-9]{8,64}$/', $project ) ) {
		add_settings_error( OPTION, 'project', __( 'The identifier of a project is made of small letters and digits: the page “Apparence” of the project shows it.', 'guichet' ) );
		$project = $present['project'];
	}
	return array(
		'address'    => $address,
		'project'    => $project,
		'everywhere' => ! empty( $typed['everywhere'] ),
	);
}

/** An origin without a slash; empty for nothing typed, null for what is none. Without TLS only on this machine. */
function address_of( string $typed ): ?string {
	$typed = trim( $typed );
	if ( $typed === '' ) {
		return '';
	}
	$parts  = wp_parse_url( $typed );
	$host   = strtolower( $parts['host'] ?? '' );
	$scheme = strtolower( $parts['scheme'] ?? '' );
	$extra  = trim( $parts['path'] ?? '', '/' ) . ( $parts['query'] ?? '' ) . ( $parts['fragment'] ?? '' ) . ( $parts['user'] ?? '' );
	$local  = in_array( $host, array( 'localhost', '127.0.0.1' ), true );
	if ( ! preg_match( '/^[a-z0-9.-]+$/', $host ) || $extra !== '' || ( $scheme !== 'https' && ! ( $local && $scheme === 'http' ) ) ) {
		return null;
	}
	return $scheme . '://' . $host . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
}

/** Whether a Guichet is there. Asked once, when the settings are saved. */
function answers( string $address ): bool {
	$answer = wp_remote_get(
		$address . '/scripts.json',
		array(
			'timeout'             => 5,
			'redirection'         => 0,
			'limit_response_size' => MAX_ANSWER_BYTES,
		)
	);
	$scripts = is_wp_error( $answer ) ? null : json_decode( wp_remote_retrieve_body( $answer ), true );
	return is_array( $scripts ) && strpos( wp_json_encode( $scripts ), 'widget' ) !== false;
}
