<?php
/**
 * WordPress reads `.l10n.php` files by itself since 6.5. Before, it knows compiled ones alone, so that the sentences
 * are looked up here.
 */

namespace Guichet;

add_action( 'init', __NAMESPACE__ . '\load_languages' );

function load_languages(): void {
	load_plugin_textdomain( 'guichet', false, dirname( plugin_basename( __DIR__ ) ) . '/languages' );
	if ( version_compare( get_bloginfo( 'version' ), '6.5', '<' ) ) {
		add_filter( 'gettext_guichet', __NAMESPACE__ . '\translated', 10, 2 );
	}
}

function translated( string $translation, string $text ): string {
	static $messages = array();
	$locale = determine_locale();
	if ( ! isset( $messages[ $locale ] ) ) {
		$file                = dirname( __DIR__ ) . '/languages/guichet-' . sanitize_file_name( $locale ) . '.l10n.php';
		$messages[ $locale ] = is_readable( $file ) ? ( include $file )['messages'] : array();
	}
	return $messages[ $locale ][ $text ] ?? $translation;
}
