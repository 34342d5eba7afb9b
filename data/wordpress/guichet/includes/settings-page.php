<?php
/** Settings → Guichet. */

namespace Guichet;

add_action( 'admin_init', __NAMESPACE__ . '\register_settings' );
add_action( 'admin_menu', __NAMESPACE__ . '\add_settings_page' );

function register_settings(): void {
	register_setting( OPTION, OPTION, array( 'sanitize_callback' => __NAMESPACE__ . '\sanitized' ) );
	add_settings_section( 'service', '', '__return_null', OPTION );
	$fields = array(
		'address'    => __( 'Address of the service', 'guichet' ),
		'project'    => __( 'Identifier of the project', 'guichet' ),
		'everywhere' => __( 'Assistant', 'guichet' ),
	);
	foreach ( $fields as $name => $label ) {
		add_settings_field( $name, $label, __NAMESPACE__ . '\show_' . $name, OPTION, 'service', array( 'label_for' => 'guichet-' . $name ) );
	}
}

function add_settings_page(): void {
	add_options_page( 'Guichet', 'Guichet', 'manage_options', OPTION, __NAMESPACE__ . '\show_page' );
}

function show_page(): void {
	echo '<div class="wrap"><h1>Guichet</h1>';
	echo '<p>' . esc_html__( 'Declare the address of this site in the project, then give here where the service is.', 'guichet' ) . ' <code>' . esc_html( site_origin() ) . '</code></p>';
	echo '<form method="post" action="options.php">';
	settings_fields( OPTION );
	do_settings_sections( OPTION );
	submit_button();
	echo '</form><h2>' . esc_html__( 'On a page', 'guichet' ) . '</h2><ul>';
	echo '<li><code>[guichet_assistant]</code> ' . esc_html__( 'a button that opens the assistant; question="…" asks at once.', 'guichet' ) . '</li>';
	echo '<li><code>[guichet_form id="…"]</code> ' . esc_html__( 'a form that has its own page: its identifier stands at the end of that page’s address.', 'guichet' ) . '</li>';
	echo '</ul></div>';
}

function show_address(): void {
	show_text( 'address', 'url', 'https://guichet.example.org' );
}

function show_project(): void {
	show_text( 'project', 'text', '' );
	echo '<p class="description" id="guichet-project-hint">' . esc_html__( 'The page “Apparence” of the project shows it, in data-project.', 'guichet' ) . '</p>';
}

function show_everywhere(): void {
	printf(
		'<input type="checkbox" id="guichet-everywhere" name="%s[everywhere]" value="1"%s> %s',
		esc_attr( OPTION ),
		checked( settings()['everywhere'], true, false ),
		esc_html__( 'on every page; otherwise only where its block stands', 'guichet' )
	);
}

function show_text( string $name, string $type, string $example ): void {
	printf(
		'<input type="%s" id="guichet-%s" name="%s[%2$s]" value="%s" placeholder="%s" class="regular-text code" maxlength="200">',
		esc_attr( $type ),
		esc_attr( $name ),
		esc_attr( OPTION ),
		esc_attr( settings()[ $name ] ),
		esc_attr( $example )
	);
}

/** As it is to be declared in the project. */
function site_origin(): string {
	$parts = wp_parse_url( home_url() );
	return $parts['scheme'] . '://' . $parts['host'] . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
}
